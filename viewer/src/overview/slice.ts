// The causal slice as a small drawing: one row for each step, one column for each lane it touches.
import { reasonOperations, whyEdges } from "../trace/causality";
import type { Run } from "../trace/run";

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

/** What a slice holds, and what is said of the rest: that it was not followed, for more is not known. */
export function sliceWords(run: Run, slice: readonly number[]): string {
  if (run.lanes.length === 0) return `A model without nodes: all ${slice.length} steps until it shows.`;
  const count = (number: number, thing: string) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
  const operations = reasonOperations(run).length;
  const nodes = run.trace.verdict?.nodes ?? [];
  const last = nodes.length > 0
    ? `the last step of ${nodes.length === 1 ? "node" : "each of the nodes"} ${nodes.map((node) => run.nodeName(node)).join(", ")}` : "";
  const called = operations > 0
    ? `the calls and returns of the ${operations === 1 ? "operation" : count(operations, "operation")} that the reason is about` : "";
  const to = [called, last].filter(Boolean).join(" and to ") || `step ${run.verdictStep}, after which it shows; the reason does not say whom it is about`;
  const rest = run.length - slice.length;
  return rest === 0 ? `All ${count(run.length, "step")} led to ${to}.`
    : `${slice.length.toLocaleString("en")} of ${count(run.length, "step")}: those that led to ${to}. The other ${rest === 1 ? "one was" : `${rest.toLocaleString("en")} were`} not followed.`;
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
      step: number, column: order.indexOf(run.lane(step.node)), fault: run.kinds.isFault(step.kind), outside,
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
