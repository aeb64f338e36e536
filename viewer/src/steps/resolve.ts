// Where the paths of a query lead in the state of a run: which parts, and which places inside them.
import { childrenOf } from "../panel/tree";
import type { Run } from "../trace/run";
import { type Part } from "../trace/states";
import { shapeOf, type Json } from "../trace/value";
import type { Mistake } from "./lex";
import { nearest } from "./nearest";
import type { Path, Segment } from "./query";

export interface Place {
  part: Part;
  segments: Segment[];
}

export type Resolved = { ok: true; places: Place[]; note: string } | { ok: false; mistake: Mistake };

/** Values of a part at some of its versions: enough to know its shape. */
function samples(part: Part): Json[] {
  const count = Math.min(part.versions.length, 40);
  const trees: Json[] = [];
  for (let i = 0; i < count; ++i) {
    trees.push(part.versions[Math.floor((i * (part.versions.length - 1)) / Math.max(1, count - 1))]!.tree);
  }
  return trees;
}

function fieldsOf(value: Json): [string, Json][] {
  const shape = shapeOf(value);
  return shape.kind === "record" ? shape.fields : [];
}

/** The records on the way to fields of this name, the nearest to the top. */
function findField(trees: Json[], name: string): string[][] {
  let level: { way: string[]; values: Json[] }[] = [{ way: [], values: trees }];
  for (let depth = 0; depth < 6 && level.length > 0; ++depth) {
    const found = level.filter(({ values }) => values.some((value) => fieldsOf(value).some(([field]) => field === name)));
    if (found.length > 0) return found.map(({ way }) => way);
    const deeper = new Map<string, { way: string[]; values: Json[] }>();
    for (const { way, values } of level) {
      for (const value of values) {
        for (const [field, item] of fieldsOf(value)) {
          // What stands in parentheses is the engine's own: the disk, timers, decisions.
          if (field.startsWith("(")) continue;
          const next = [...way, field];
          const key = next.join("\u0000");
          const known = deeper.get(key);
          if (known) known.values.push(item);
          else deeper.set(key, { way: next, values: [item] });
        }
      }
    }
    level = [...deeper.values()];
  }
  return [];
}

function allFields(trees: Json[]): string[] {
  const names = new Set<string>();
  const walk = (value: Json, depth: number) => {
    for (const [name, item] of fieldsOf(value)) {
      names.add(name);
      if (depth < 3) walk(item, depth + 1);
    }
  };
  for (const tree of trees) walk(tree, 0);
  return [...names];
}

/** Follows `segments` as far as samples go; says what is wrong where no sample has such a field. */
function check(trees: Json[], segments: readonly Segment[]): { missing: string; known: string[] } | null {
  let values = trees;
  for (const segment of segments) {
    const next: Json[] = [];
    for (const value of values) {
      for (const child of childrenOf(value)) if (matches(child.key, segment)) next.push(child.value);
    }
    if (segment.kind === "field" && next.length === 0) {
      const known = new Set(values.flatMap((value) => fieldsOf(value).map(([name]) => name)));
      if (known.size > 0) return { missing: segment.name, known: [...known] };
    }
    if (next.length === 0) return null; // not there in the samples; it may be at other steps
    values = next;
  }
  return null;
}

export function matches(key: string, segment: Segment): boolean {
  if (segment.kind === "every") return true;
  if (segment.kind === "field") return key === `.${segment.name}`;
  return key === `[${segment.key}]`;
}

export function resolve(run: Run, path: Path): Resolved {
  const wrong = (message: string): Resolved => ({ ok: false, mistake: { at: path.at, end: path.end, message } });
  if (!run.states.known) {
    return wrong("this trace has no states; it can be searched by text, kind:, type:, node:, from: and step:");
  }
  let parts: Part[];
  let segments = path.segments;
  const isNodes = (path.root === "nodes" || path.root === "node") && segments[0]?.kind !== "field";
  if (isNodes) {
    const selector = segments[0];
    if (!selector) return wrong("expected which node, such as nodes[1] or nodes[*]");
    segments = segments.slice(1);
    const nodes = run.states.parts.filter((part) => part.node >= 0);
    parts = selector.kind === "key"
      ? nodes.filter((part) => String(part.node) === selector.key || run.nodeName(part.node) === selector.key)
      : nodes;
    if (parts.length === 0) {
      const names = nodes.map((part) => run.nodeName(part.node));
      return wrong(names.length === 0 ? "this model has no nodes; name a field of its state"
        : `there is no node '${selector.kind === "key" ? selector.key : "*"}'; the nodes are ${names.slice(0, 12).join(", ")}`);
    }
  } else {
    const named = run.states.parts.find((part) => part.name === path.root);
    const nodes = run.states.parts.filter((part) => part.node >= 0);
    if (named) parts = [named];
    else {
      parts = nodes.length > 0 ? nodes : run.states.parts;
      segments = [{ kind: "field", name: path.root }, ...segments];
    }
  }
  return inside(parts, segments, wrong);
}

function inside(parts: Part[], segments: Segment[], wrong: (message: string) => Resolved): Resolved {
  const first = segments[0];
  if (first?.kind !== "field") return { ok: true, places: parts.map((part) => ({ part, segments })), note: "" };
  const places: Place[] = [];
  let note = "";
  let failure = "";
  const known = new Set<string>();
  for (const part of parts) {
    const trees = samples(part);
    for (const name of allFields(trees)) known.add(name);
    const ways = findField(trees, first.name);
    if (ways.length === 0) continue;
    if (ways.length > 1) {
      const options = ways.map((way) => [...way, first.name].join("."));
      failure = `'${first.name}' is more than one field: ${options.join(", ")}; write which`;
      continue;
    }
    const way = ways[0]!;
    const full: Segment[] = [...way.map((name): Segment => ({ kind: "field", name })), ...segments];
    const lacking = check(trees, full);
    if (lacking) {
      const near = nearest(lacking.missing, lacking.known);
      failure = `there is no field '${lacking.missing}'${near ? `; did you mean '${near}'?` : `; there are: ${lacking.known.slice(0, 12).join(", ")}`}`;
      continue;
    }
    if (way.length > 0) note = `${first.name} is read as ${[...way, first.name].join(".")}`;
    places.push({ part, segments: full });
  }
  if (places.length > 0) return { ok: true, places, note };
  if (failure) return wrong(failure);
  const near = nearest(first.name, [...known]);
  const some = [...known].slice(0, 12).join(", ");
  return wrong(`no field is named '${first.name}'${near ? `; did you mean '${near}'?` : some ? `; there are: ${some}.` : "."} To look for text, put it in quotes`);
}

/** The values at a place of a tree; none where it does not exist. */
export function valuesAt(tree: Json, segments: readonly Segment[]): Json[] {
  let values: Json[] = [tree];
  for (const segment of segments) {
    const next: Json[] = [];
    for (const value of values) {
      if (segment.kind === "field") {
        const field = fieldOf(value, segment.name);
        if (field !== undefined) next.push(field);
      } else {
        for (const child of childrenOf(value)) if (matches(child.key, segment)) next.push(child.value);
      }
    }
    values = next;
  }
  return values;
}

function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || name.startsWith("$")) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
