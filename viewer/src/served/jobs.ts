// Searches under way on the server: a list that is kept up to date by streams.
import { computed, signal } from "@preact/signals";
import { api, listen, type Stream } from "../api";
import * as store from "../store";
import { Run } from "../trace/run";
import { nameOf } from "./linking";
import {
  findingOf, jobOf, pointOf, reachedOf, scenarioOutcomeOf, type Finding, type Job, type Point,
} from "./read";
import type { Events } from "./wire";

export const jobs = signal<Job[]>([]);
export const selectedId = signal("");
export const selected = computed<Job | null>(() =>
  jobs.value.find((job) => job.id === selectedId.value) ?? jobs.value[0] ?? null);

const MOST_POINTS = 1000;

/** Every second point goes when there are too many; a plot shows no more. */
export function thinned(points: Point[], most = MOST_POINTS): Point[] {
  return points.length <= most ? points : points.filter((_, i) => i % 2 === 1 || i === points.length - 1);
}

type JobEvent = keyof Events["GET /api/jobs/ID/stream"];

/** A job with one more event. A stream that was cut tells all from the start: what is known stays once. */
export function withEvent(job: Job, event: JobEvent, data: unknown): Job {
  switch (event) {
    case "progress": {
      const point = pointOf(data);
      const last = job.progress[job.progress.length - 1];
      if (last && point.seconds <= last.seconds) return job;
      return { ...job, progress: thinned([...job.progress, point]) };
    }
    case "finding": {
      const finding = findingOf(data);
      const same = (one: Finding) => one.property === finding.property && one.scenario === finding.scenario;
      return { ...job, findings: [...job.findings.filter((one) => !same(one)), finding] };
    }
    case "reached": {
      const reached = reachedOf(data);
      if (job.reached.some((one) => one.property === reached.property)) return job;
      return { ...job, reached: [...job.reached, reached] };
    }
    case "scenario": {
      const outcome = scenarioOutcomeOf(data);
      if (job.scenarios.some((one) => one.name === outcome.name)) return job;
      return { ...job, scenarios: [...job.scenarios, outcome] };
    }
    case "done":
      return { ...jobOf(data), progress: job.progress };
  }
}

export interface Sample {
  seconds: number;
  value: number;
}

/** How fast a count grew between one point and the next. */
export function rateOf(points: Point[], count: (point: Point) => number): Sample[] {
  const rates: Sample[] = [];
  let before: Sample = { seconds: 0, value: 0 };
  for (const point of points) {
    const now = { seconds: point.seconds, value: count(point) };
    const time = now.seconds - before.seconds;
    if (time > 0) rates.push({ seconds: now.seconds, value: Math.max(0, (now.value - before.value) / time) });
    before = now;
  }
  return rates;
}

// A browser keeps few connections to one server, and a stream holds one. So only the job that is
// looked at has a stream; the others are asked for now and then.
let stream: { id: string; stream: Stream } | null = null;

function put(id: string, change: (job: Job) => Job): void {
  jobs.value = jobs.value.map((job) => (job.id === id ? change(job) : job));
}

export function unwatch(): void {
  stream?.stream.close();
  stream = null;
}

/** Listens to a job until it is over, or another one is watched. */
export function watch(id: string): void {
  if (stream?.id === id) return;
  unwatch();
  const told = (event: JobEvent) => (data: unknown) => {
    put(id, (job) => withEvent(job, event, data));
    if (event !== "done") return false;
    stream = null;
    const job = jobs.value.find((one) => one.id === id);
    store.notice.value = `${job?.what ?? "the search"}: ${job?.state ?? "over"}`;
    return true;
  };
  stream = {
    id,
    stream: listen("GET /api/jobs/ID/stream", id, () => "", {
      progress: told("progress"), finding: told("finding"), reached: told("reached"), scenario: told("scenario"),
      done: told("done"),
    }),
  };
}

/** What the server lists, with what is known beyond that: the list holds no runs, a stream is newer. */
export function merged(told: Job[], known: Job[], streamed: string | null): Job[] {
  return told.map((job) => {
    const before = known.find((one) => one.id === job.id);
    if (!before) return job;
    return job.id === streamed ? before : { ...job, runs: before.runs };
  });
}

export async function refresh(): Promise<void> {
  const told = await api.jobs();
  jobs.value = merged(told, jobs.value, stream?.id ?? null);
}

/** Shows a job that has just been started. */
export async function follow(id: string): Promise<void> {
  const job = await api.job(id);
  jobs.value = [job, ...jobs.value.filter((one) => one.id !== id)];
  selectedId.value = id;
}

/** The runs of a finding: as minimised, and as it was found. */
export function runsOf(job: Job, property: string, scenario = ""): Run[] {
  return job.runs
    .filter(({ trace }) => trace.verdict?.property === property && (!scenario || trace.scenario === scenario))
    .map(({ name, role, trace }) => new Run(trace, role === "original" ? `${name} (as found)` : name, role));
}

/** Opens the run of a finding where its violation is told. */
export async function openFinding(job: Job, finding: Finding, scenario = finding.scenario): Promise<void> {
  const whole = job.runs.length > 0 ? job : await api.job(job.id);
  let found = runsOf(whole, finding.property, scenario);
  if (found.length === 0 && finding.address) {
    const { trace } = await api.run(finding.address);
    found = [new Run(trace, `${nameOf(finding.address)}: ${finding.property}`, "violation")];
  }
  const [first, ...others] = found;
  if (!first) throw new Error(`the server keeps no run that violates ${finding.property}`);
  store.runs.value = [...store.runs.value, ...others];
  store.addRun(first);
  store.view.value = "overview";
}
