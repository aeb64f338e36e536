// Two runs aligned by causality: steps that are the same action with the same past are partners
// wherever they stand; of what is left, each node's steps are matched in their order.
import type { Step } from "../trace/format";
import type { Run } from "../trace/run";
import { commonPairs } from "./lcs";
import { Heap } from "./heap";

/** How a row's two steps relate. `carried`: the same effect on a state that differed before. */
export type Relation = "same" | "effect" | "carried" | "left" | "right";

export interface Row {
  a: number; // steps; 0: none
  b: number;
  relation: Relation;
}

export interface Alignment {
  rows: Row[];
  first: number; // the row of the first divergence; -1: there is none
  counts: Record<Relation, number>;
  /** By step of each run: its row. */
  rowOfA: Int32Array;
  rowOfB: Int32Array;
  reordered: number; // partners that come in another order
}

/** What makes a step the same action in another run, as replaying has it. */
function identity(step: Step): string {
  return [step.kind, step.node ?? -1, step.from ?? -1, step.type ?? "", step.payload_digest ?? JSON.stringify(step.payload ?? null),
    (step.choices ?? []).join("."), step.crash_at_persist ?? 0].join("\u0000");
}

/** The causes of a step; in models without nodes everything depends on what came before. */
function causesOf(run: Run, number: number): readonly number[] {
  return run.lanes.length === 0 ? [number - 1] : (run.step(number).causes ?? []);
}

class Names {
  private readonly ids = new Map<string, number>();
  of(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) this.ids.set(text, (id = this.ids.size + 1));
    return id;
  }
}

interface Side {
  run: Run;
  actions: Int32Array; // by step: what it is
  pasts: Int32Array; // by step: what it is together with all that led to it
  partner: Int32Array; // by step: its partner; 0: none
}

function sideOf(run: Run, names: Names): Side {
  const actions = new Int32Array(run.length + 1);
  const pasts = new Int32Array(run.length + 1);
  pasts[0] = names.of("start");
  for (let number = 1; number <= run.length; ++number) {
    actions[number] = names.of(identity(run.step(number)));
    const past = causesOf(run, number).map((cause) => pasts[cause]!).sort((x, y) => x - y);
    pasts[number] = names.of(`${actions[number]}<${past.join()}`);
  }
  return { run, actions, pasts, partner: new Int32Array(run.length + 1) };
}

/** Partners with the same past: wherever they stand, they are the same event. */
function matchByPast(a: Side, b: Side): void {
  const waiting = new Map<number, number[]>();
  for (let number = b.run.length; number >= 1; --number) {
    const list = waiting.get(b.pasts[number]!);
    if (list) list.push(number);
    else waiting.set(b.pasts[number]!, [number]);
  }
  for (let number = 1; number <= a.run.length; ++number) {
    const other = waiting.get(a.pasts[number]!)?.pop();
    if (other === undefined) continue;
    a.partner[number] = other;
    b.partner[other] = number;
  }
}

/** Steps by whose they are; what happens to messages on their way is nobody's. */
function sequences(run: Run): Map<string, number[]> {
  const lists = new Map<string, number[]>();
  for (let number = 1; number <= run.length; ++number) {
    const step = run.step(number);
    const way = step.kind === "drop" || step.kind === "duplicate" ? "way" : "node";
    const key = `${way} ${step.node ?? -1}`;
    const list = lists.get(key);
    if (list) list.push(number);
    else lists.set(key, [number]);
  }
  return lists;
}

/** Between partners, the steps of each node that are the same action, in their order. */
function matchByOrder(a: Side, b: Side): void {
  const others = sequences(b.run);
  for (const [key, mine] of sequences(a.run)) {
    const theirs = others.get(key);
    if (!theirs) continue;
    const placeOf = new Map(theirs.map((number, i) => [number, i]));
    let [fromA, fromB] = [0, 0];
    const gap = (toA: number, toB: number) => {
      const left = mine.slice(fromA, toA);
      const right = theirs.slice(fromB, toB);
      for (const [i, j] of commonPairs(left.map((n) => a.actions[n]!), right.map((n) => b.actions[n]!))) {
        if (a.partner[left[i]!] !== 0 || b.partner[right[j]!] !== 0) continue;
        a.partner[left[i]!] = right[j]!;
        b.partner[right[j]!] = left[i]!;
      }
    };
    const anchors = mine.map((number, i) => [i, placeOf.get(a.partner[number]!) ?? -1] as const).filter(([, j]) => j >= 0);
    for (const [i, j] of anchors) {
      if (j < fromB) continue; // on their way, messages may come in another order
      gap(i, j);
      [fromA, fromB] = [i + 1, j + 1];
    }
    gap(mine.length, theirs.length);
  }
}

function sameItems<T>(a: readonly T[] | undefined, b: readonly T[] | undefined, same: (x: T, y: T) => boolean): boolean {
  const [x, y] = [a ?? [], b ?? []];
  return x === y || (x.length === y.length && x.every((item, i) => same(item, y[i]!)));
}

/** Whether two steps did the same to the node, the network, the clients and the timers. */
function sameEffect(a: Step, b: Step): boolean {
  const equal = (x: string, y: string) => x === y;
  return a === b || (
    (a.failure ?? "") === (b.failure ?? "") &&
    sameItems(a.changes, b.changes, (x, y) => x.path === y.path && x.before === y.before && x.after === y.after) &&
    sameItems(a.sent, b.sent, (x, y) => x.to === y.to && x.type === y.type && (x.payload_digest ?? x.text) === (y.payload_digest ?? y.text)) &&
    sameItems(a.decided, b.decided, equal) && sameItems(a.timers, b.timers, equal) &&
    sameItems(a.history, b.history, (x, y) => x.client === y.client && x.event === y.event && x.text === y.text));
}

function relationOf(a: Step, b: Step): Relation {
  if (!sameEffect(a, b)) return "effect";
  const known = a.node_digest !== undefined && b.node_digest !== undefined;
  return known && a.node_digest !== b.node_digest ? "carried" : "same";
}

/**
 * The rows in an order that both runs could have happened in: the left run's where it can be, the
 * right run's for what it has alone. Partners that would make that impossible part.
 */
function layOut(a: Side, b: Side): { a: number; b: number }[] {
  const needs = (side: Side) => {
    const left = new Int32Array(side.run.length + 1);
    const effects: number[][] = Array.from({ length: side.run.length + 1 }, () => []);
    for (let number = 1; number <= side.run.length; ++number) {
      const causes = new Set(causesOf(side.run, number).filter((cause) => cause > 0));
      left[number] = causes.size;
      for (const cause of causes) effects[cause]!.push(number);
    }
    return { left, effects };
  };
  const needA = needs(a);
  const needB = needs(b);
  // What only the right run has stands after its last step with a partner before it.
  const after = new Int32Array(b.run.length + 1);
  for (let number = 1; number <= b.run.length; ++number) {
    after[number] = b.partner[number] || after[number - 1]!;
  }
  const ready = new Heap<{ a: number; b: number; key: number }>((x, y) => x.key - y.key || x.b - y.b);
  const pushA = (number: number) => {
    const other = a.partner[number]!;
    if (needA.left[number] === 0 && (other === 0 || needB.left[other] === 0)) ready.push({ a: number, b: other, key: number });
  };
  const pushB = (number: number) => {
    if (b.partner[number] !== 0) pushA(b.partner[number]!);
    else if (needB.left[number] === 0) ready.push({ a: 0, b: number, key: after[number]! + 0.5 });
  };
  const rows: { a: number; b: number }[] = [];
  const placedA = new Uint8Array(a.run.length + 1);
  const placedB = new Uint8Array(b.run.length + 1);
  const settle = () => {
    for (let row = ready.pop(); row; row = ready.pop()) {
      if ((row.a > 0 && placedA[row.a]) || (row.b > 0 && placedB[row.b])) continue;
      rows.push({ a: row.a, b: row.b });
      if (row.a > 0) placedA[row.a] = 1;
      if (row.b > 0) placedB[row.b] = 1;
      for (const effect of row.a > 0 ? needA.effects[row.a]! : []) if (--needA.left[effect]! === 0) pushA(effect);
      for (const effect of row.b > 0 ? needB.effects[row.b]! : []) if (--needB.left[effect]! === 0) pushB(effect);
    }
  };
  for (let number = 1; number <= a.run.length; ++number) if (needA.left[number] === 0) pushA(number);
  for (let number = 1; number <= b.run.length; ++number) if (needB.left[number] === 0 && b.partner[number] === 0) pushB(number);
  settle();
  // Of what is left, the first step waits for nothing but its partner: every round parts some.
  for (let waiting = true; waiting;) {
    waiting = false;
    for (let number = 1; number <= a.run.length; ++number) {
      if (placedA[number]) continue;
      if (needA.left[number] !== 0) {
        waiting = true;
        continue;
      }
      // Its partner waits for something that waits for it: they are not the same after all.
      const other = a.partner[number]!;
      a.partner[number] = 0;
      if (other !== 0) {
        b.partner[other] = 0;
        pushB(other);
      }
      pushA(number);
      settle();
    }
  }
  return rows;
}

export function alignRuns(left: Run, right: Run): Alignment {
  const names = new Names();
  const a = sideOf(left, names);
  const b = sideOf(right, names);
  matchByPast(a, b);
  matchByOrder(a, b);
  const counts: Record<Relation, number> = { same: 0, effect: 0, carried: 0, left: 0, right: 0 };
  const rowOfA = new Int32Array(left.length + 1).fill(-1);
  const rowOfB = new Int32Array(right.length + 1).fill(-1);
  let first = -1;
  let last = 0;
  let reordered = 0;
  const rows = layOut(a, b).map((row, i): Row => {
    const relation = row.a === 0 ? "right" : row.b === 0 ? "left" : relationOf(left.step(row.a), right.step(row.b));
    ++counts[relation];
    if (row.a > 0) rowOfA[row.a] = i;
    if (row.b > 0) rowOfB[row.b] = i;
    if (relation !== "same" && first < 0) first = i;
    if (row.a > 0 && row.b > 0) {
      if (row.b < last) ++reordered;
      last = Math.max(last, row.b);
    }
    return { ...row, relation };
  });
  return { rows, first, counts, rowOfA, rowOfB, reordered };
}
