// What the app shows now. Views read these signals and set them; nothing else is shared between them.
import { computed, signal } from "@preact/signals";
import type { Run } from "./trace/run";

export type ViewName =
  | "overview" | "diagram" | "ring" | "state" | "steps" | "compare" | "report"
  | "fork" | "explore" | "live" | "open";

export const runs = signal<Run[]>([]);
export const runIndex = signal(0);
export const run = computed<Run | null>(() => runs.value[runIndex.value] ?? null);

/** The selected step: 0 is the start, 1 … length are the steps. */
export const step = signal(0);
export const view = signal<ViewName>("overview");
export const served = signal(false);
export const title = signal("");
export const reportJson = signal<unknown>(null);
/** A run that grows while it is watched sets this anew at every step, so that views draw again. */
export const revision = signal(0);

/** Message types that are not drawn, and nodes whose lanes are folded away. */
export const hiddenTypes = signal<ReadonlySet<string>>(new Set());
export const foldedNodes = signal<ReadonlySet<number>>(new Set());

/** What is searched for, and the steps of the shown run that match, ascending. */
export const query = signal("");
export const matches = signal<readonly number[]>([]);

/** Said to screen readers, and for a moment on the page. */
export const notice = signal("");

export function selectStep(number: number): void {
  const length = run.value?.length ?? 0;
  step.value = Math.max(0, Math.min(length, Math.round(number)));
}

export function selectRun(index: number, at?: number): void {
  runIndex.value = index;
  hiddenTypes.value = new Set();
  foldedNodes.value = new Set();
  selectStep(at ?? runs.value[index]?.verdictStep ?? 0);
}

/** Adds a run and shows it. */
export function addRun(added: Run, at?: number): void {
  runs.value = [...runs.value, added];
  selectRun(runs.value.length - 1, at);
}

export function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const copy = new Set(set);
  if (!copy.delete(item)) copy.add(item);
  return copy;
}
