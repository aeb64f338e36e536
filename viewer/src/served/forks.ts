// Branches: a run, and the other ways to go on that were tried from its steps. Every branch is a whole
// run, from the start; its own part begins where it leaves its parent. All views can show it.
import { signal } from "@preact/signals";
import { shortOf } from "../links";
import * as store from "../store";
import type { Step, Trace, Verdict } from "../trace/format";
import { Run } from "../trace/run";

export interface Branch {
  readonly id: number;
  run: Run;
  parent: Branch | null;
  /** The parent's step after which this one goes another way; 0 of a root. */
  at: number;
  children: Branch[];
  /** Steps are added at its end; a run that was found or read from a file stays as it is. */
  grown: boolean;
}

/** Set anew whenever a branch came, grew or went. */
export const changes = signal(0);

const known = new WeakMap<Run, Branch>();
let count = 0;

export function changed(): void {
  changes.value = changes.peek() + 1;
}

function make(run: Run, parent: Branch | null, at: number, grown: boolean): Branch {
  const branch: Branch = { id: ++count, run, parent, at, children: [], grown };
  known.set(run, branch);
  if (parent) parent.children.push(branch);
  changed();
  return branch;
}

/** The branch of a run; a run that is not known yet becomes the root of a tree. */
export function branchOf(run: Run): Branch {
  return known.get(run) ?? make(run, null, 0, false);
}

/** Says that a run is walked by hand from its end on. */
export function markGrown(run: Run): Branch {
  const branch = branchOf(run);
  branch.grown = true;
  return branch;
}

export function rootOf(branch: Branch): Branch {
  return branch.parent ? rootOf(branch.parent) : branch;
}

export interface Row {
  branch: Branch;
  level: number; // 1: the root
  position: number; // among its siblings, from 1
}

/** A tree in the order in which it is shown: by where branches leave, then by age. */
export function rowsOf(root: Branch, level = 1, position = 1): Row[] {
  const children = [...root.children].sort((a, b) => a.at - b.at || a.id - b.id);
  return [
    { branch: root, level, position },
    ...children.flatMap((child, i) => rowsOf(child, level + 1, i + 1)),
  ];
}

/** How many steps two traces share from the start. */
export function sharedSteps(a: Trace, b: Trace): number {
  if ((a.initial ?? 0) !== (b.initial ?? 0)) return 0;
  const most = Math.min(a.steps.length, b.steps.length);
  let shared = 0;
  while (shared < most && a.steps[shared]!.choice === b.steps[shared]!.choice) ++shared;
  return shared;
}

/** The branch of the tree that goes on with `choice` after the first `step` steps of `branch`. */
export function continuation(branch: Branch, step: number, choice: number): Branch | null {
  const follows = (one: Branch) =>
    one.run.length > step && one.run.step(step + 1).choice === choice &&
    sharedSteps(one.run.trace, branch.run.trace) >= step;
  // The branch itself first: one does not leave it without need.
  if (follows(branch)) return branch;
  return rowsOf(rootOf(branch)).find((row) => follows(row.branch))?.branch ?? null;
}

/** Where a run that shares the first `at` steps with `branch` leaves the tree. */
function leaving(branch: Branch, at: number): Branch {
  return branch.parent && at <= branch.at ? leaving(branch.parent, at) : branch;
}

export function nextName(root: Branch): string {
  const names = new Set(rowsOf(root).map((row) => row.branch.run.name));
  let number = 1;
  while (names.has(`branch ${number}`)) ++number;
  return `branch ${number}`;
}

/** The first `length` steps of a run, as a run that a person goes on with. */
function cut(trace: Trace, length: number): Trace {
  const { points: _, ...rest } = trace;
  const verdict = trace.verdict && (trace.verdict.step ?? trace.steps.length) <= length ? trace.verdict : null;
  const steps = trace.steps.slice(0, length);
  return { ...rest, steps, verdict, minimised_from: 0, strategy: "by hand", short: shortOf({ ...trace, steps }) };
}

function judge(run: Run, verdict: Verdict | null): void {
  run.trace.short = shortOf(run.trace);
  if (!verdict || run.trace.verdict) return;
  run.trace.verdict = { ...verdict, step: verdict.step ?? run.length };
  run.role = "violation";
}

/** Takes a step after step `at` of a branch: it grows, or another one begins there. */
export function grow(branch: Branch, at: number, step: Step, verdict: Verdict | null): Branch {
  if (branch.grown && at === branch.run.length) {
    branch.run.append(step);
    judge(branch.run, verdict);
    changed();
    store.revision.value = store.revision.peek() + 1;
    return branch;
  }
  const run = new Run(cut(branch.run.trace, at), nextName(rootOf(branch)), "run");
  run.append(step);
  judge(run, verdict);
  return make(run, leaving(branch, at), at, true);
}

/** Adds a run that was found by other means, where it leaves the tree. */
export function attach(branch: Branch, run: Run): Branch {
  const at = sharedSteps(branch.run.trace, run.trace);
  return make(run, leaving(branch, at), at, false);
}

/** Why the last step of a branch cannot be taken back; "": it can. */
export function stays(branch: Branch): string {
  const { run } = branch;
  if (!branch.grown) return "this run was not made by hand";
  if (run.length === 0) return "nothing has happened yet";
  if (branch.children.some((child) => child.at >= run.length)) return "another branch begins after the last step";
  return "";
}

/** Takes the last step back. Returns the branch that is left: its parent if nothing of its own was. */
export function undo(branch: Branch): Branch {
  const { run, parent } = branch;
  if (parent && run.length - 1 <= branch.at) {
    remove(branch);
    return parent;
  }
  const shorter = new Run(cut(run.trace, run.length - 1), run.name, "run");
  known.set(shorter, branch);
  branch.run = shorter;
  store.runs.value = store.runs.value.map((one) => (one === run ? shorter : one));
  changed();
  return branch;
}

/** Removes a branch with what hangs on it. REQUIRES: it is no root. */
export function remove(branch: Branch): void {
  const gone = new Set(rowsOf(branch).map((row) => row.branch.run));
  const shown = store.run.value;
  const siblings = branch.parent?.children ?? [];
  siblings.splice(siblings.indexOf(branch), 1);
  store.runs.value = store.runs.value.filter((run) => !gone.has(run));
  const next = shown && !gone.has(shown) ? shown : (branch.parent?.run ?? null);
  store.runIndex.value = Math.max(0, next ? store.runs.value.indexOf(next) : 0);
  changed();
}

export function rename(branch: Branch, name: string): void {
  const trimmed = name.trim().slice(0, 60);
  if (trimmed) branch.run.name = trimmed;
  store.runs.value = [...store.runs.value];
  changed();
}

/** Shows a branch at a step, in whatever view is open. */
export function show(branch: Branch, step = branch.run.length): void {
  const index = store.runs.value.indexOf(branch.run);
  if (index < 0) store.addRun(branch.run, step);
  else if (index !== store.runIndex.value) store.selectRun(index, step);
  else store.selectStep(step);
}
