// What differs between two runs at one row: in the state of the node, and in what the step did.
import { changesOf, treeOf, type ShownChange } from "../panel/facts";
import { differences } from "../panel/tree";
import type { Run } from "../trace/run";
import { show } from "../trace/value";
import type { Alignment, Row } from "./align";

export interface StateDifference {
  path: string;
  left: string | null; // null: there is none
  right: string | null;
}

/** How the states of the acting node differ after the step, as far as the traces tell. */
export function stateDifferences(mine: Run, theirs: Run, row: Row): StateDifference[] {
  if (row.a === 0 || row.b === 0) return [];
  const node = mine.step(row.a).node ?? -1;
  const [a, b] = [treeOf(mine, node, row.a), treeOf(theirs, node, row.b)];
  if (a !== undefined && b !== undefined) {
    return differences(a, b).map((one) => ({
      path: one.path,
      left: one.before === undefined ? null : show(one.before),
      right: one.after === undefined ? null : show(one.after),
    }));
  }
  // Without states: what the two steps changed in different ways.
  const after = (changes: ShownChange[]) => new Map(changes.map((change) => [change.path, change.after]));
  const [x, y] = [after(changesOf(mine, row.a)), after(changesOf(theirs, row.b))];
  return [...new Set([...x.keys(), ...y.keys()])].filter((path) => x.get(path) !== y.get(path))
    .map((path) => ({ path, left: x.get(path) ?? null, right: y.get(path) ?? null }));
}

/** What the other run does with the same node instead: its next step there that has no partner before. */
export function insteadOf(alignment: Alignment, mine: Run, theirs: Run, index: number): number {
  const row = alignment.rows[index]!;
  const onLeft = row.a > 0;
  const node = (onLeft ? mine.step(row.a) : theirs.step(row.b)).node;
  for (let i = index + 1; i < alignment.rows.length; ++i) {
    const number = onLeft ? alignment.rows[i]!.b : alignment.rows[i]!.a;
    if (number > 0 && (onLeft ? theirs : mine).step(number).node === node) return number;
  }
  return 0;
}
