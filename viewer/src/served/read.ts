// How the server's JSON becomes what views show. Which fields there are comes from the schema, through
// the types of wire.ts; a field that is missing gets a plain default, so that a page that was left
// open still understands a server of another age; what cannot be shown at all is refused, with the
// place.
import type { Step, Trace, Verdict } from "../trace/format";
import type { Kinds } from "../trace/kinds";
import { failure, stepFromJson, traceFromJson, type Outcome } from "../trace/read";
import type * as wire from "./wire";

export type { JobOptions, LiveOptions } from "./wire";

/** Which run: enough to run it again. */
export type Address = wire.Address & { parameters: wire.Parameters };

export type Parameter = Omit<wire.Parameter, "least" | "most" | "words"> & {
  least: number | null;
  most: number | null;
  words: string[];
};

export type Named = Pick<wire.Bug, "name" | "what">;
export type Subject = Omit<wire.Subject, "parameters" | "bugs"> & { parameters: Parameter[]; bugs: Named[] };
/** `options`: that only some strategies have. */
export type Strategy = Pick<wire.Strategy, "name" | "what" | "stateful"> & { options: Parameter[] };
export type Suite = Omit<wire.Suite, "subjects" | "strategies"> & { subjects: Subject[]; strategies: Strategy[] };

/** An action that could be taken; -1: no node. */
export type Action = Required<wire.Action>;
/** `step` 0: nowhere, or not told. */
export type PropertyVerdict = Required<wire.PropertyVerdict>;
/** What is possible and what is true at the end of a run. */
export type Here = Omit<wire.Here, "actions" | "verdicts"> & { actions: Action[]; verdicts: PropertyVerdict[] };

export interface Stepped {
  step: Step;
  short: string;
  verdict: Verdict | null;
  here: Here;
}

export type Point = Required<wire.Point>;
/** `scenario` "": of a check. */
export type Finding = Omit<Required<wire.Finding>, "nodes" | "address"> & { address: Address | null };
export type Reached = wire.Reached;

export type ScenarioOutcome =
  Required<Pick<wire.ScenarioOutcome, "name" | "outcome" | "effort" | "seconds">> & {
    verdict: string; // "holds": as the scenario expects
    violations: Finding[];
  };

export type NamedRun = Omit<wire.NamedRun, "role"> & { role: string };

export type Job = Pick<wire.Job, "id" | "what" | "state"> & {
  kind: string;
  error: string;
  progress: Point[];
  findings: Finding[];
  reached: Reached[];
  scenarios: ScenarioOutcome[];
  report: unknown;
  runs: NamedRun[];
};

export type LiveStatus = Omit<wire.LiveStatus, "verdicts" | "unfinished" | "unrecorded"> & {
  verdicts: PropertyVerdict[];
};

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** The fields that a message has by the schema, whatever stands in them. */
type Told<T> = { readonly [K in keyof T]?: unknown };
const told = <T>(value: unknown): Told<T> => fieldsOf(value) as Told<T>;
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const numberOf = (value: unknown, otherwise = 0): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

const objectsOf = <T>(value: unknown): Told<T>[] => listOf(value).filter(isFields) as Told<T>[];
const wordsOf = (value: unknown): string[] => listOf(value).map(textOf).filter((word) => word !== "");

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, item]) => [name, textOf(item)]));
}

function parameterOf(json: Told<wire.Parameter>): Parameter {
  const words = wordsOf(json.words);
  const kinds: wire.ParameterKind[] = ["number", "real", "word", "nodes", "flag"];
  const kind = kinds.find((known) => known === json.kind);
  // A flag that is not given is written out as "no".
  const fallback = textOf(json.default) || (kind === "flag" ? "no" : "");
  return {
    name: textOf(json.name), what: textOf(json.what), default: fallback,
    kind: kind ?? (words.length > 0 ? "word" : /^\d+$/.test(fallback) ? "number" : "word"),
    least: typeof json.least === "number" ? json.least : null,
    most: typeof json.most === "number" ? json.most : null,
    words,
  };
}

export function suiteOf(json: unknown): Suite {
  const fields = told<wire.Suite>(json);
  const named = (item: Told<Named>): Named => ({ name: textOf(item.name), what: textOf(item.what) });
  return {
    version: textOf(fields.version),
    subjects: objectsOf<wire.Subject>(fields.subjects).map((item) => ({
      ...named(item),
      parameters: objectsOf<wire.Parameter>(item.parameters).map(parameterOf),
      bugs: objectsOf<wire.Bug>(item.bugs).map(named),
    })),
    scenarios: objectsOf<wire.Scenario>(fields.scenarios).map((item) => ({
      ...named(item), subject: textOf(item.subject), parameters: textsOf(item.parameters), catches: textOf(item.catches),
    })),
    strategies: objectsOf<wire.Strategy>(fields.strategies).map((item) => ({
      ...named(item), stateful: item.stateful === true, options: objectsOf<wire.Parameter>(item.options).map(parameterOf),
    })),
  };
}

export function verdictsOf(json: unknown): PropertyVerdict[] {
  return objectsOf<wire.PropertyVerdict>(json).map((item) => ({
    property: textOf(item.property), kind: textOf(item.kind),
    violated: item.violated === true, reached: item.reached === true, why: textOf(item.why),
    nodes: listOf(item.nodes).map((node) => numberOf(node, -1)), step: numberOf(item.step),
  }));
}

export function hereOf(json: unknown): Here {
  const fields = told<wire.Here>(json);
  return {
    actions: objectsOf<wire.Action>(fields.actions).map((item, i) => ({
      choice: numberOf(item.choice, i), text: textOf(item.text), kind: textOf(item.kind),
      node: numberOf(item.node, -1), from: numberOf(item.from, -1), type: textOf(item.type),
      progress: item.progress === true,
    })),
    terminal: fields.terminal === true,
    within: fields.within !== false,
    failure: textOf(fields.failure),
    error: textOf(fields.error),
    verdicts: verdictsOf(fields.verdicts),
  };
}

export function addressOfJson(json: unknown): Address | null {
  const fields = told<wire.Address>(json);
  if (textOf(fields.system) === "") return null;
  const address: Address = { system: textOf(fields.system), parameters: textsOf(fields.parameters) };
  if (textOf(fields.scenario)) address.scenario = textOf(fields.scenario);
  if (textOf(fields.short)) address.short = textOf(fields.short);
  if (fields.free_faults === true) address.free_faults = true;
  return address;
}

export function steppedOf(json: unknown, number: number, kinds: Kinds): Outcome<Stepped> {
  const fields = told<wire.Stepped>(json);
  const step = stepFromJson(fields.step, number, kinds);
  if (!step.ok) return step;
  const verdict = told<Verdict>(fields.verdict);
  return {
    ok: true,
    value: {
      step: step.value, short: textOf(fields.short), here: hereOf(fields.here),
      verdict: textOf(verdict.property) ? verdictOf(verdict, number) : null,
    },
  };
}

function verdictOf(json: Told<Verdict>, number: number): Verdict {
  return {
    property: textOf(json.property), kind: textOf(json.kind), why: textOf(json.why),
    nodes: listOf(json.nodes).map((node) => numberOf(node, -1)), step: numberOf(json.step, number),
  };
}

export function ranOf(json: unknown): Outcome<{ trace: Trace; here: Here }> {
  const fields = told<wire.Ran>(json);
  const trace = traceFromJson(fields.trace);
  if (!trace.ok) return failure(`the server's trace: ${trace.error}`);
  return { ok: true, value: { trace: trace.value, here: hereOf(fields.here) } };
}

export function pointOf(json: unknown): Point {
  const fields = told<wire.Point>(json);
  const number = (name: keyof wire.Point) => numberOf(fields[name]);
  return {
    seconds: number("seconds"), states: number("states"), distinct: number("distinct"), runs: number("runs"),
    depth: number("depth"), queue: number("queue"), bytes: number("bytes"), violations: number("violations"),
    done: number("done"), total: number("total"), name: textOf(fields.name),
  };
}

export function findingOf(json: unknown): Finding {
  const fields = told<wire.Finding>(json);
  return {
    seconds: numberOf(fields.seconds), scenario: textOf(fields.scenario),
    property: textOf(fields.property), kind: textOf(fields.kind), why: textOf(fields.why), address: addressOfJson(fields.address),
  };
}

export function reachedOf(json: unknown): Reached {
  const fields = told<wire.Reached>(json);
  return { seconds: numberOf(fields.seconds), property: textOf(fields.property) };
}

export function scenarioOutcomeOf(json: unknown): ScenarioOutcome {
  const fields = told<wire.ScenarioOutcome>(json);
  return {
    name: textOf(fields.name), verdict: textOf(fields.verdict), outcome: textOf(fields.outcome),
    effort: textOf(fields.effort), seconds: numberOf(fields.seconds),
    violations: objectsOf(fields.violations).map(findingOf),
  };
}

export function jobOf(json: unknown): Job {
  const fields = told<wire.Job>(json);
  const states: wire.JobState[] = ["running", "done", "failed", "stopped"];
  const runs: NamedRun[] = [];
  for (const item of objectsOf<wire.NamedRun>(fields.runs)) {
    const trace = traceFromJson(item.trace);
    if (trace.ok) runs.push({ name: textOf(item.name) || "run", role: textOf(item.role) || "run", trace: trace.value });
  }
  return {
    id: textOf(fields.id), kind: textOf(fields.kind), what: textOf(fields.what),
    state: states.find((known) => known === fields.state) ?? "running",
    error: textOf(fields.error),
    progress: objectsOf(fields.progress).map(pointOf),
    findings: objectsOf(fields.findings).map(findingOf),
    reached: objectsOf(fields.reached).map(reachedOf),
    scenarios: objectsOf(fields.scenarios).map(scenarioOutcomeOf),
    report: fields.report ?? null,
    runs,
  };
}

export function liveStatusOf(json: unknown): LiveStatus {
  const fields = told<wire.LiveStatus>(json);
  return {
    running: fields.running === true, seconds: numberOf(fields.seconds), steps: numberOf(fields.steps),
    speed: numberOf(fields.speed, 1),
    nodes: objectsOf<wire.LiveNode>(fields.nodes).map((item) => ({
      id: numberOf(item.id, -1), name: textOf(item.name), up: item.up !== false,
      paused: item.paused === true, queue: numberOf(item.queue),
    })),
    links: objectsOf<wire.LiveLink>(fields.links).map((item) => ({
      from: numberOf(item.from, -1), to: numberOf(item.to, -1), drop: item.drop === true,
      delay_ms: numberOf(item.delay_ms),
    })),
    requests: objectsOf<wire.LiveRequest>(fields.requests).map((item) => ({
      index: numberOf(item.index), node: numberOf(item.node, -1), text: textOf(item.text),
    })),
    verdicts: verdictsOf(fields.verdicts), why: textOf(fields.why),
    quiet: fields.quiet === true,
  };
}

/** The words of a refusal; "": it has none. */
export const problemOf = (json: unknown): string => textOf(told<wire.Problem>(json).error);
export const startedOf = (json: unknown): string => textOf(told<wire.Started>(json).id);
export const saysOf = (json: unknown): string => textOf(told<wire.Says>(json).says);
export const noteOf = (json: unknown): string => textOf(told<wire.Note>(json).text);
export const overOf = (json: unknown): string => textOf(told<wire.Over>(json).why);
export const jobsOf = (json: unknown): Job[] => listOf(told<wire.Jobs>(json).jobs).map(jobOf);

export function livesOf(json: unknown): wire.LiveName[] {
  return objectsOf<wire.LiveName>(told<wire.Lives>(json).live)
    .map((one) => ({ id: textOf(one.id), what: textOf(one.what), running: one.running === true }));
}

export function soFarOf(json: unknown): Outcome<{ trace: Trace; status: LiveStatus }> {
  const fields = told<wire.LiveSoFar>(json);
  const trace = traceFromJson(fields.trace);
  return trace.ok ? { ok: true, value: { trace: trace.value, status: liveStatusOf(fields.status) } } : trace;
}

export const importedOf = (json: unknown): Outcome<Trace> => traceFromJson(told<wire.Imported>(json).trace);

export function replayedOf(json: unknown): Outcome<{ reproduced: boolean; divergedAt: number; why: string; trace: Trace }> {
  const fields = told<wire.Replayed>(json);
  const trace = traceFromJson(fields.trace);
  if (!trace.ok) return trace;
  return {
    ok: true,
    value: {
      reproduced: fields.reproduced === true, divergedAt: numberOf(fields.diverged_at, -1), why: textOf(fields.why),
      trace: trace.value,
    },
  };
}
