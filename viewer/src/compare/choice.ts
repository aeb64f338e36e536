// Which two of the page's runs are compared, by index; -1: not chosen.
import { signal } from "@preact/signals";
import type { Run } from "../trace/run";

export const left = signal(-1);
export const right = signal(-1);

export function pickPair(a: number, b: number): void {
  left.value = a;
  right.value = b;
}

/**
 * The pair that is compared unless another is chosen: what fails against what passes, what was found
 * against what was minimised, else the shown run against another.
 */
export function defaultPair(runs: readonly Run[], shown: number): [number, number] | null {
  if (runs.length < 2) return null;
  const of = (role: string) => runs.findIndex((run) => run.role === role);
  const [violation, passing, original] = [of("violation"), of("passing"), of("original")];
  if (violation >= 0 && passing >= 0) return [violation, passing];
  if (violation >= 0 && original >= 0) return [original, violation];
  return [shown, shown === 0 ? 1 : 0];
}
