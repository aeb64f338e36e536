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

/** The stretch of a lane that is in a cone: from its first step there to its last. */
export interface LaneStretch {
  lane: number;
  from: number;
  to: number;
  bits: number; // PAST or FUTURE
}

export function laneStretches(
  cone: Cone, lanes: number, laneOf: (row: number) => number,
): LaneStretch[] {
  const out: LaneStretch[] = [];
  for (const bits of [PAST, FUTURE]) {
    const first = new Int32Array(lanes).fill(-1);
    const last = new Int32Array(lanes);
    for (let row = 1; row < cone.length; ++row) {
      if (!(cone[row]! & bits)) continue;
      const lane = laneOf(row);
      if (lane < 0) continue;
      if (first[lane]! < 0) first[lane] = row;
      last[lane] = row;
    }
    first.forEach((from, lane) => {
      if (from >= 0 && last[lane]! > from) out.push({ lane, from, to: last[lane]!, bits });
    });
  }
  return out;
}

/** What an edge between two rows belongs to: it is in a cone if both of its ends are. */
export function coneOfEdge(cone: Cone, from: number, to: number): number {
  return (cone[from] ?? 0) & (cone[to] ?? 0);
}
