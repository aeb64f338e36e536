// Answers a query step by step. State is looked at again only where a part changed, so that a run of
// 100,000 steps costs little more than reading its texts.
import { KINDS } from "../trace/read";
import type { Run } from "../trace/run";
import type { Version } from "../trace/states";
import { sameValue, shapeOf, show, type Json } from "../trace/value";
import type { Mistake } from "./lex";
import { nearest } from "./nearest";
import type { Comparison, Operand, Path, Quantifier, Query } from "./query";
import { resolve, valuesAt, type Place } from "./resolve";

/** Says for a step whether it matches; called with ascending steps, from 0. */
export type Test = (step: number) => boolean;

export type Compiled = { ok: true; test: Test; notes: string[] } | { ok: false; mistake: Mistake };

class Wrong extends Error {
  constructor(readonly mistake: Mistake) {
    super(mistake.message);
  }
}

/** The texts of a step that plain words are looked for in, in small letters; made when first asked for. */
export class Texts {
  private readonly texts: string[] = [];
  constructor(private readonly run: Run) {}
  of(step: number): string {
    let text = this.texts[step];
    if (text === undefined) {
      const it = step === 0 ? null : this.run.step(step);
      const said = it ? [...(it.log ?? []), ...(it.decided ?? []), ...(it.scenario ?? []), it.failure ?? "",
        ...(it.history ?? []).map((event) => event.text ?? "")] : [];
      text = [this.run.label(step), ...said].join("\n").toLowerCase();
      this.texts[step] = text;
    }
    return text;
  }
}

/** Follows one place of the state along the steps. */
class Cursor {
  private index = 0;
  private values: Json[];
  private looked: Version;
  constructor(private readonly place: Place) {
    this.looked = place.part.versions[0]!;
    this.values = valuesAt(this.looked.tree, place.segments);
  }
  /** Whether another version counts after `step` than at the last call. */
  advance(step: number): boolean {
    const versions = this.place.part.versions;
    const before = this.index;
    while (this.index + 1 < versions.length && versions[this.index + 1]!.step <= step) ++this.index;
    return this.index !== before;
  }
  get(): Json[] {
    const version = this.place.part.versions[this.index]!;
    if (version.tree !== this.looked.tree) this.values = valuesAt(version.tree, this.place.segments);
    this.looked = version;
    return this.values;
  }
  /** The version that this step made; null: it made none. */
  madeBy(step: number): { now: Json[]; before: Json[] } | null {
    const version = this.place.part.versions[this.index]!;
    if (version.step !== step || this.index === 0) return null;
    const before = this.place.part.versions[this.index - 1]!;
    return { now: this.get(), before: valuesAt(before.tree, this.place.segments) };
  }
}

class Compiler {
  readonly notes = new Set<string>();
  constructor(private readonly run: Run, private readonly texts: Texts) {}

  private cursors(path: Path): Cursor[] {
    const resolved = resolve(this.run, path);
    if (!resolved.ok) throw new Wrong(resolved.mistake);
    if (resolved.note) this.notes.add(resolved.note);
    return resolved.places.map((place) => new Cursor(place));
  }

  /** A test that is made again only when one of its cursors moved. */
  private cached(cursors: Cursor[], answer: () => boolean): Test {
    let known: boolean | null = null;
    return (step) => {
      let moved = false;
      for (const cursor of cursors) moved = cursor.advance(step) || moved;
      if (moved || known === null) known = answer();
      return known;
    };
  }

  compile(query: Query): Test {
    switch (query.kind) {
      case "and": {
        const tests = query.items.map((item) => this.compile(item));
        // Every test sees every step: cursors go on.
        return (step) => tests.reduce((all, test) => test(step) && all, true);
      }
      case "or": {
        const tests = query.items.map((item) => this.compile(item));
        return (step) => tests.reduce((any, test) => test(step) || any, false);
      }
      case "not": {
        const test = this.compile(query.item);
        return (step) => !test(step);
      }
      case "becomes": {
        const test = this.compile(query.item);
        let before = true; // what holds at the start did not become so
        return (step) => {
          const now = test(step);
          const became = now && !before;
          before = now;
          return became;
        };
      }
      case "text": {
        const text = query.text.toLowerCase();
        return (step) => step > 0 && this.texts.of(step).includes(text);
      }
      case "filter":
        return this.filter(query);
      case "holds": {
        const cursors = this.cursors(query.path);
        return this.cached(cursors, () => quantified(query.quantifier, cursors.flatMap((cursor) => cursor.get()), isTrue));
      }
      case "changed": {
        const cursors = this.cursors(query.path);
        return (step) => {
          let changed = false;
          for (const cursor of cursors) {
            cursor.advance(step);
            const made = cursor.madeBy(step);
            if (made && !sameList(made.before, made.now)) changed = true;
          }
          return changed;
        };
      }
      case "compare": {
        const left = this.operand(query.left);
        const right = this.operand(query.right);
        return this.cached([...left.cursors, ...right.cursors], () => {
          const others = right.get();
          return others.length > 0 && quantified(query.quantifier, left.get(), (value) =>
            quantified(query.quantifier, others, (other) => compare(value, query.operator, other)));
        });
      }
      case "in": {
        const left = this.operand(query.left);
        if (Array.isArray(query.right)) {
          const items = query.right.map((item) => this.operand(item));
          return this.cached([...left.cursors, ...items.flatMap((item) => item.cursors)], () =>
            quantified(query.quantifier, left.get(), (value) =>
              items.some((item) => item.get().some((other) => compare(value, "=", other)))));
        }
        const right = this.operand(query.right);
        return this.cached([...left.cursors, ...right.cursors], () =>
          quantified(query.quantifier, left.get(), (value) =>
            right.get().some((holder) => membersOf(holder).some((member) => compare(value, "=", member)))));
      }
    }
  }

  private filter(query: Query & { kind: "filter" }): Test {
    const value = query.value.toLowerCase();
    const like = globOf(value);
    const node = (id: number | undefined) =>
      id !== undefined && id >= 0 && (String(id) === value || this.run.nodeName(id).toLowerCase() === value);
    switch (query.name) {
      case "kind": {
        if (value === "fault" || value === "faults") return (step) => step > 0 && this.run.kinds.isFault(this.run.step(step).kind);
        const kinds = [...KINDS, ...this.run.kinds.described.keys()];
        if (!kinds.some(like)) {
          const near = nearest(value, kinds);
          throw new Wrong({ at: query.at, end: query.end, message: `there is no kind '${query.value}'${near ? `; did you mean '${near}'?` : ";"} Kinds are ${kinds.join(", ")}, and fault for any of them that is one` });
        }
        return (step) => step > 0 && like(this.run.step(step).kind);
      }
      case "type":
        return (step) => step > 0 && like(this.run.step(step).type ?? "");
      case "node":
      case "from": {
        if (!this.run.lanes.some((lane) => node(lane.node)) && this.run.lanes.length > 0 && !/^-?\d+$/.test(value)) {
          throw new Wrong({ at: query.at, end: query.end, message: `there is no node '${query.value}'; the nodes are ${this.run.lanes.slice(0, 12).map((lane) => lane.name).join(", ")}` });
        }
        return (step) => step > 0 && node(this.run.step(step)[query.name as "node" | "from"]);
      }
      case "step": {
        const [low, high] = query.value.split("..").map(Number);
        return (step) => step >= low! && step <= (high ?? low!);
      }
    }
  }

  private operand(operand: Operand): { get: () => Value[]; cursors: Cursor[] } {
    switch (operand.kind) {
      case "number":
        return { get: () => [operand.value], cursors: [] };
      case "word":
        return { get: () => [new Word(operand.text, operand.quoted)], cursors: [] };
      case "path": {
        const cursors = this.cursors(operand.path);
        return { get: () => cursors.flatMap((cursor) => cursor.get()), cursors };
      }
      case "len": {
        const cursors = this.cursors(operand.path);
        return { get: () => cursors.flatMap((cursor) => cursor.get().map(lengthOf)), cursors };
      }
    }
  }
}

/** A value of the state, or a word of the query. */
type Value = Json | Word;
class Word {
  constructor(readonly word: string, readonly exact: boolean) {}
}

const isWord = (value: Value): value is Word => value instanceof Word;

const textOf = (value: Value) => (isWord(value) ? value.word : typeof value === "string" ? value : show(value));

function quantified<T>(quantifier: Quantifier, values: readonly T[], test: (value: T) => boolean): boolean {
  return quantifier === "any" ? values.some(test) : values.length > 0 && values.every(test);
}

function isTrue(value: Json): boolean {
  return value === true;
}

function sameList(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, i) => sameValue(item, b[i]!));
}

function lengthOf(value: Json): number {
  const shape = shapeOf(value);
  switch (shape.kind) {
    case "leaf":
      return value === null ? 0 : shape.text.length;
    case "record":
      return shape.fields.length;
    case "map":
      return shape.entries.length;
    default:
      return shape.items.length;
  }
}

function membersOf(value: Value): Value[] {
  if (isWord(value)) return [];
  const shape = shapeOf(value);
  if (shape.kind === "map") return shape.entries.map(([key]) => key);
  return shape.kind === "leaf" || shape.kind === "record" ? [] : shape.items;
}

function equal(a: Value, b: Value): boolean {
  const [x, y] = [textOf(a), textOf(b)];
  if (x === y) return true;
  const word = isWord(a) ? a : isWord(b) ? b : null;
  if (!word || word.exact) return false;
  const other = (word === a ? y : x).toLowerCase();
  const plain = word.word.toLowerCase();
  // Names of enumerators may begin with k, as in kLeader; nothing is written as '-'.
  return other === plain || other === `k${plain}` || (other === "-" && (plain === "null" || plain === "none"));
}

export function compare(a: Value, operator: Comparison, b: Value): boolean {
  if (operator === "=") return equal(a, b);
  if (operator === "!=") return !equal(a, b);
  const [x, y] = [typeof a === "number" ? a : NaN, typeof b === "number" ? b : NaN];
  const texts = typeof a === "string" || typeof b === "string";
  let order = x - y;
  if (Number.isNaN(order)) {
    if (!texts) return false;
    const [s, t] = [textOf(a), textOf(b)];
    order = s < t ? -1 : s > t ? 1 : 0;
  }
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function globOf(pattern: string): (text: string) => boolean {
  if (!pattern.includes("*")) return (text) => text.toLowerCase() === pattern;
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`, "i");
  return (text) => expression.test(text);
}

export function compileQuery(run: Run, query: Query, texts = new Texts(run)): Compiled {
  const compiler = new Compiler(run, texts);
  try {
    return { ok: true, test: compiler.compile(query), notes: [...compiler.notes] };
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, mistake: error.mistake };
    throw error;
  }
}
