// Going on in the engine: one action, some at random, or a search that begins where one is.
import { signal } from "@preact/signals";
import { api, listen, type Stream } from "../api";
import { addressOf, shortOf } from "../links";
import * as store from "../store";
import { Run } from "../trace/run";
import * as forks from "./forks";
import { fieldsOf, jobOf, pointOf, textOf, type Address, type Here, type Job, type Point } from "./read";

const MOST_KEPT = 400;
const seen = new Map<string, Here>();

function keep(key: string, here: Here): void {
  seen.set(key, here);
  if (seen.size > MOST_KEPT) seen.delete(seen.keys().next().value as string);
}

const keyOf = (address: Address) => JSON.stringify(address);

export function knownHere(address: Address): Here | null {
  return seen.get(keyOf(address)) ?? null;
}

/** What is possible and true after the first steps of a run. */
export async function hereAt(address: Address, signal?: AbortSignal): Promise<Here> {
  const known = knownHere(address);
  if (known) return known;
  const here = await api.here(address, signal);
  keep(keyOf(address), here);
  return here;
}

function addressAt(run: Run, step: number): Address {
  const address = addressOf(run.trace, step);
  if (!address) throw new Error("a run that comes from another tool cannot be continued here");
  return address;
}

/** Takes an action after step `at` of a branch, and shows where that leads. */
export async function take(branch: forks.Branch, at: number, choice: number): Promise<forks.Branch> {
  const there = forks.continuation(branch, at, choice);
  if (there) {
    forks.show(there, at + 1);
    return there;
  }
  const { run } = branch;
  const address = addressAt(run, at);
  let next: forks.Branch;
  if (run.states.known) {
    const stepped = await api.step(address, choice, at + 1, run.kinds);
    next = forks.grow(branch, at, stepped.step, stepped.verdict);
    keep(keyOf(addressAt(next.run, at + 1)), stepped.here);
  } else {
    // The file was written without states; the engine knows them.
    const short = shortOf({ ...run.trace, steps: [...run.trace.steps.slice(0, at), { kind: "step", choice }] });
    const ran = await api.run({ ...address, short });
    const whole = new Run(ran.trace, forks.nextName(forks.rootOf(branch)), ran.trace.verdict ? "violation" : "run");
    next = forks.attach(branch, whole);
    next.grown = true;
  }
  forks.show(next, at + 1);
  return next;
}

/** Steps at random; ends early where nothing is possible, or at a violation. Says how far it came. */
export async function takeRandom(
  from: forks.Branch, at: number, count: number, random: () => number = Math.random, going = () => true,
): Promise<string> {
  let branch = from;
  for (let taken = 0; taken < count; ++taken) {
    if (!going()) return `stopped after ${taken} steps`;
    const { actions } = await hereAt(addressAt(branch.run, at + taken));
    if (actions.length === 0) return `nothing is possible after ${taken} more steps`;
    const action = actions[Math.floor(random() * actions.length)]!;
    branch = await take(branch, at + taken, action.choice);
    const verdict = branch.run.trace.verdict;
    if (verdict && verdict.step === at + taken + 1) return `✗ violated: ${verdict.property}`;
  }
  return `${count} random steps taken`;
}

export interface Search {
  id: string;
  what: string;
  point: Point | null;
}

/** The search that goes on from a branch; null: none is under way. */
export const search = signal<Search | null>(null);
/** What the last search or walk came to. */
export const outcome = signal("");

let stream: Stream | null = null;

/** Of the runs that a search found, the one that goes on from here; else the shortest. */
export function bestRun(job: Job, branch: forks.Branch, at: number) {
  const bad = job.runs.filter((run) => run.trace.verdict);
  return bad.find((run) => forks.sharedSteps(run.trace, branch.run.trace) >= at) ?? bad[0] ?? null;
}

function conclude(job: Job, branch: forks.Branch, at: number): string {
  if (job.state === "failed") return `the search failed: ${job.error}`;
  const found = bestRun(job, branch, at);
  if (found) {
    const next = forks.attach(branch, new Run(found.trace, `found: ${found.name}`, "violation"));
    forks.show(next, next.run.verdictStep);
    return `✗ violated: ${found.trace.verdict?.property ?? found.name}; shown as a branch`;
  }
  const report = fieldsOf(job.report);
  const effort = [`${textOf(report.distinct_states) || 0} states`, `${textOf(report.runs) || 0} runs`]
    .filter((words) => !words.startsWith("0 ")).join(", ");
  const words = { holds: "✓ every property holds from here on", undecided: "no violation found, but not all was seen" };
  const verdict = words[textOf(report.verdict) as keyof typeof words] ?? textOf(report.verdict);
  return (job.state === "stopped" ? "stopped: " : "") + (verdict || "nothing found") + (effort ? ` (${effort})` : "");
}

/** Searches on from a step with a strategy; a violation becomes a branch. */
export async function runOn(branch: forks.Branch, at: number, strategy: string, seconds: number): Promise<void> {
  const address = addressAt(branch.run, at);
  const options = strategy ? { strategy, max_seconds: seconds } : { max_seconds: seconds };
  const id = await api.check(address, options);
  outcome.value = "";
  search.value = { id, what: strategy || "the usual strategy", point: null };
  stream?.close();
  stream = listen("GET /api/jobs/ID/stream", id, () => "", {
    progress: (data) => {
      if (search.value?.id === id) search.value = { ...search.value, point: pointOf(data) };
    },
    done: (data) => {
      search.value = null;
      outcome.value = conclude(jobOf(data), branch, at);
      store.notice.value = outcome.value;
      return true;
    },
  });
}
