// The causal slice as a small drawing: one row for each step, one column for each lane it touches.
import { whyEdges } from "../trace/causality";
import { FAULTS, type Run } from "../trace/run";

export interface SliceEdge {
  from: number; // rows
  to: number;
  kind: "message" | "order" | "other"; // order: the same node, one after the other
  label: string;
}

export interface SliceRow {
  step: number;
  column: number;
  fault: boolean;
  outside: string; // what came from outside of the slice: a request; else empty
  bad: boolean; // here the violation shows
}

export interface SliceDrawing {
  columns: { name: string; type: string; lane: number; involved: boolean }[];
  rows: SliceRow[];
  edges: SliceEdge[];
}

/** REQUIRES: `steps` ascend and are steps of the run. */
export function drawSlice(run: Run, steps: readonly number[]): SliceDrawing {
  const involved = new Set(run.trace.verdict?.nodes ?? []);
  const lanes = new Set<number>();
  for (const number of steps) lanes.add(run.lane(run.step(number).node));
  const order = [...lanes].sort((a, b) => (a < 0 ? Infinity : a) - (b < 0 ? Infinity : b));
  const columns = order.map((lane) => {
    const known = run.lanes[lane];
    return known
      ? { name: known.name, type: known.type, lane, involved: involved.has(known.node) }
      : { name: run.lanes.length > 0 ? "all" : "state", type: "", lane, involved: false };
  });
  const rowOf = new Map(steps.map((number, row) => [number, row]));
  const rows = steps.map((number): SliceRow => {
    const step = run.step(number);
    const taken = run.taken[number];
    const sender = taken && rowOf.has(taken.sentAt);
    const outside = step.kind === "request" && !sender ? step.type ?? "request" : "";
    return {
      step: number, column: order.indexOf(run.lane(step.node)), fault: FAULTS.has(step.kind), outside,
      bad: run.violated && number === run.verdictStep,
    };
  });
  const edges = whyEdges(run, steps).map(([cause, effect]): SliceEdge => {
    const from = rowOf.get(cause)!;
    const to = rowOf.get(effect)!;
    const taken = run.taken[effect];
    if (taken && taken.sentAt === cause) return { from, to, kind: "message", label: taken.type || taken.kind };
    const same = rows[from]!.column === rows[to]!.column;
    return { from, to, kind: same ? "order" : "other", label: same ? "" : run.step(effect).kind };
  });
  return { columns, rows, edges };
}
