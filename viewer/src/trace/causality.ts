// What had to happen before a step, and what could not have happened without it.
import type { Run } from "./run";

/** The causal past of some steps, themselves included. Index 0 is the start. */
export function pastOf(run: Run, of: readonly number[]): Set<number> {
  const past = new Set<number>();
  const waiting = of.filter((step) => step >= 0 && step <= run.length);
  while (waiting.length > 0) {
    const step = waiting.pop()!;
    if (past.has(step)) continue;
    past.add(step);
    if (step > 0) waiting.push(...(run.step(step).causes ?? []));
  }
  return past;
}

/** The causal future of a step, itself included: causes only point back, so one pass will do. */
export function futureOf(run: Run, of: number): Set<number> {
  const future = new Set<number>([of]);
  for (let number = of + 1; number <= run.length; ++number) {
    if (run.step(number).causes?.some((cause) => future.has(cause))) future.add(number);
  }
  return future;
}

/** Operations that the reason is about; of other reasons, none. */
export const reasonOperations = (run: Run) => run.operations.filter((operation) => operation.reason);

/**
 * The steps that explain the violation, in order: the causal past of what the reason speaks of. That is
 * the call and the return of each operation that it is about, and the last thing that each involved node
 * did; the step at which it shows, where it names neither. Empty where nothing is violated. Of a model
 * without nodes nobody knows what depends on what: every step may have had a part in it.
 */
export function whySlice(run: Run): number[] {
  const verdict = run.trace.verdict;
  if (!verdict) return [];
  const end = run.verdictStep;
  if (run.lanes.length === 0) return Array.from({ length: end }, (_, i) => i + 1);
  const ends: number[] = [];
  for (const node of verdict.nodes ?? []) {
    for (let number = end; number > 0; --number) {
      const step = run.step(number);
      if (step.node !== node || step.kind === "drop" || step.kind === "duplicate") continue;
      ends.push(number);
      break;
    }
  }
  for (const operation of reasonOperations(run)) {
    ends.push(...[operation.from, operation.to].filter((step) => step > 0 && step <= end));
  }
  if (ends.length === 0 && end > 0) ends.push(end);
  return [...pastOf(run, ends)].filter((step) => step > 0).sort((a, b) => a - b);
}

/** The edges between the steps of a slice: from a cause to its effect. */
export function whyEdges(run: Run, slice: readonly number[]): [number, number][] {
  const kept = new Set(slice);
  const edges: [number, number][] = [];
  for (const step of slice) {
    for (const cause of run.step(step).causes ?? []) {
      if (kept.has(cause)) edges.push([cause, step]);
    }
  }
  return edges;
}
