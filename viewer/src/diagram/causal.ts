// Which steps are before and after the selected one, causally.
import { futureOf, pastOf } from "../trace/causality";
import type { Run } from "../trace/run";

export const PAST = 1;
export const FUTURE = 2;

/** By row: whether it is in the past, in the future, or (the selected one) in both. */
export type Cone = Uint8Array;

export function coneOf(run: Run, step: number, past: boolean, future: boolean): Cone | null {
  if (!past && !future) return null;
  const cone = new Uint8Array(run.length + 1);
  if (past) for (const row of pastOf(run, [step])) cone[row]! |= PAST;
  if (future) for (const row of futureOf(run, step)) cone[row]! |= FUTURE;
  cone[step] = PAST | FUTURE;
  return cone;
}

/** What an edge between two rows belongs to: it is in a cone if both of its ends are. */
export function coneOfEdge(cone: Cone, from: number, to: number): number {
  return (cone[from] ?? 0) & (cone[to] ?? 0);
}
