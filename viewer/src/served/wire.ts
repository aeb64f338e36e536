// What the server says, as types, and how its JSON becomes them. A field that is missing gets a
// plain default, so that a page and a server of slightly different age still understand each other;
// what cannot be shown at all is refused, with the place.
import type { Step, Trace, Verdict } from "../trace/format";
import { failure, stepFromJson, traceFromJson, type Outcome } from "../trace/read";

/** Which run: enough to run it again. */
export interface Address {
  system: string;
  parameters: Record<string, string>; // with "bug"
  scenario?: string;
  short?: string; // "" or absent: nothing has happened yet
  free_faults?: boolean;
}

export type ParameterKind = "number" | "real" | "word" | "nodes" | "flag";

export interface Parameter {
  name: string;
  what: string;
  default: string;
  kind: ParameterKind;
  least: number | null;
  most: number | null;
  words: string[];
}

export interface Named {
  name: string;
  what: string;
}

export interface Subject extends Named {
  parameters: Parameter[];
  bugs: Named[];
}

export interface Scenario extends Named {
  subject: string;
  parameters: Record<string, string>;
  catches: string[];
}

export interface Strategy extends Named {
  stateful: boolean;
  options: Parameter[]; // that only some strategies have
}

export interface Suite {
  version: string;
  subjects: Subject[];
  scenarios: Scenario[];
  strategies: Strategy[];
}

/** An action that could be taken. */
export interface Action {
  choice: number;
  text: string;
  kind: string;
  node: number; // -1: none
  from: number;
  type: string;
  progress: boolean;
}

export interface PropertyVerdict {
  property: string;
  kind: string;
  violated: boolean;
  reached: boolean;
  why: string;
  nodes: number[];
  step: number; // of a live run: where it was violated or reached; 0: nowhere, or not told
}

/** What is possible and what is true at the end of a run. */
export interface Here {
  actions: Action[];
  terminal: boolean;
  within: boolean;
  failure: string;
  verdicts: PropertyVerdict[];
}

export interface Stepped {
  step: Step;
  short: string;
  verdict: Verdict | null;
  here: Here;
}

export interface Point {
  seconds: number;
  states: number;
  distinct: number;
  runs: number;
  depth: number;
  queue: number;
  bytes: number;
  violations: number;
  done: number; // scenarios
  total: number;
  name: string; // the scenario that is under way
}

export interface Finding {
  seconds: number;
  scenario: string; // "": of a check
  property: string;
  kind: string;
  why: string;
  address: Address | null;
}

export interface Reached {
  seconds: number;
  property: string;
}

export interface ScenarioOutcome {
  name: string;
  verdict: string; // "holds": as the scenario expects
  outcome: string;
  effort: string;
  seconds: number;
  violations: Finding[];
}

export interface NamedRun {
  name: string;
  role: string;
  trace: Trace;
}

export type JobState = "running" | "done" | "failed" | "stopped";

export interface Job {
  id: string;
  kind: string;
  what: string;
  state: JobState;
  error: string;
  progress: Point[];
  findings: Finding[];
  reached: Reached[];
  scenarios: ScenarioOutcome[];
  report: unknown;
  runs: NamedRun[];
}

export interface LiveStatus {
  running: boolean;
  seconds: number;
  steps: number;
  speed: number;
  nodes: { id: number; name: string; up: boolean; paused: boolean; queue: number }[];
  links: { from: number; to: number; drop: boolean; delay: number }[];
  requests: { index: number; node: number; text: string }[];
  verdicts: PropertyVerdict[];
  quiet: boolean; // nothing is under way; only somebody from outside can go on
  why: string; // it is over
}

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const numberOf = (value: unknown, otherwise = 0): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

const objectsOf = (value: unknown): Fields[] => listOf(value).filter(isFields);
const wordsOf = (value: unknown): string[] => listOf(value).map(textOf).filter((word) => word !== "");

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, item]) => [name, textOf(item)]));
}

function parameterOf(json: Fields): Parameter {
  const words = wordsOf(json.words);
  const kinds: ParameterKind[] = ["number", "real", "word", "nodes", "flag"];
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
  const fields = fieldsOf(json);
  const named = (item: Fields): Named => ({ name: textOf(item.name), what: textOf(item.what) });
  return {
    version: textOf(fields.version),
    subjects: objectsOf(fields.subjects).map((item) => ({
      ...named(item),
      parameters: objectsOf(item.parameters).map(parameterOf),
      bugs: objectsOf(item.bugs).map(named),
    })),
    scenarios: objectsOf(fields.scenarios).map((item) => ({
      ...named(item), subject: textOf(item.subject), parameters: textsOf(item.parameters),
      catches: typeof item.catches === "string" ? wordsOf([item.catches]) : wordsOf(item.catches),
    })),
    strategies: objectsOf(fields.strategies).map((item) => ({
      ...named(item), stateful: item.stateful === true, options: objectsOf(item.options).map(parameterOf),
    })),
  };
}

export function verdictsOf(json: unknown): PropertyVerdict[] {
  return objectsOf(json).map((item) => ({
    property: textOf(item.property), kind: textOf(item.kind),
    violated: item.violated === true, reached: item.reached === true, why: textOf(item.why),
    nodes: listOf(item.nodes).map((node) => numberOf(node, -1)), step: numberOf(item.step),
  }));
}

export function hereOf(json: unknown): Here {
  const fields = fieldsOf(json);
  return {
    actions: objectsOf(fields.actions).map((item, i) => ({
      choice: numberOf(item.choice, i), text: textOf(item.text), kind: textOf(item.kind),
      node: numberOf(item.node, -1), from: numberOf(item.from, -1), type: textOf(item.type),
      progress: item.progress === true,
    })),
    terminal: fields.terminal === true,
    within: fields.within !== false,
    failure: textOf(fields.failure),
    verdicts: verdictsOf(fields.verdicts),
  };
}

export function addressOfJson(json: unknown): Address | null {
  if (!isFields(json) || textOf(json.system) === "") return null;
  const address: Address = { system: textOf(json.system), parameters: textsOf(json.parameters) };
  if (textOf(json.scenario)) address.scenario = textOf(json.scenario);
  if (textOf(json.short)) address.short = textOf(json.short);
  if (json.free_faults === true) address.free_faults = true;
  return address;
}

export function steppedOf(json: unknown, number: number): Outcome<Stepped> {
  const fields = fieldsOf(json);
  const step = stepFromJson(fields.step, number);
  if (!step.ok) return step;
  const verdict = fieldsOf(fields.verdict);
  return {
    ok: true,
    value: {
      step: step.value, short: textOf(fields.short), here: hereOf(fields.here),
      verdict: textOf(verdict.property) ? verdictOf(verdict, number) : null,
    },
  };
}

function verdictOf(json: Fields, number: number): Verdict {
  return {
    property: textOf(json.property), kind: textOf(json.kind), why: textOf(json.why),
    nodes: listOf(json.nodes).map((node) => numberOf(node, -1)), step: numberOf(json.step, number),
  };
}

export function ranOf(json: unknown): Outcome<{ trace: Trace; here: Here }> {
  const fields = fieldsOf(json);
  const trace = traceFromJson(fields.trace);
  if (!trace.ok) return failure(`the server's trace: ${trace.error}`);
  return { ok: true, value: { trace: trace.value, here: hereOf(fields.here) } };
}

export function pointOf(json: unknown): Point {
  const fields = fieldsOf(json);
  const names = ["seconds", "states", "distinct", "runs", "depth", "queue", "bytes", "violations", "done", "total"];
  const numbers = Object.fromEntries(names.map((name) => [name, numberOf(fields[name])]));
  return { ...numbers, name: textOf(fields.name) } as Point;
}

export function findingOf(json: unknown): Finding {
  const fields = fieldsOf(json);
  return {
    seconds: numberOf(fields.seconds), scenario: textOf(fields.scenario),
    property: textOf(fields.property), kind: textOf(fields.kind), why: textOf(fields.why), address: addressOfJson(fields.address),
  };
}

export function reachedOf(json: unknown): Reached {
  const fields = fieldsOf(json);
  return { seconds: numberOf(fields.seconds), property: textOf(fields.property) };
}

export function scenarioOutcomeOf(json: unknown): ScenarioOutcome {
  const fields = fieldsOf(json);
  return {
    name: textOf(fields.name), verdict: textOf(fields.verdict), outcome: textOf(fields.outcome),
    effort: textOf(fields.effort), seconds: numberOf(fields.seconds),
    violations: objectsOf(fields.violations).map(findingOf),
  };
}

export function jobOf(json: unknown): Job {
  const fields = fieldsOf(json);
  const states: JobState[] = ["running", "done", "failed", "stopped"];
  const runs: NamedRun[] = [];
  for (const item of objectsOf(fields.runs)) {
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
  const fields = fieldsOf(json);
  return {
    running: fields.running === true, seconds: numberOf(fields.seconds), steps: numberOf(fields.steps),
    speed: numberOf(fields.speed, 1),
    nodes: objectsOf(fields.nodes).map((item) => ({
      id: numberOf(item.id, -1), name: textOf(item.name), up: item.up !== false,
      paused: item.paused === true, queue: numberOf(item.queue),
    })),
    links: objectsOf(fields.links).map((item) => ({
      from: numberOf(item.from, -1), to: numberOf(item.to, -1), drop: item.drop === true,
      delay: numberOf(item.delay_ms),
    })),
    requests: objectsOf(fields.requests).map((item) => ({
      index: numberOf(item.index), node: numberOf(item.node, -1), text: textOf(item.text),
    })),
    verdicts: verdictsOf(fields.verdicts), why: textOf(fields.why),
    quiet: fields.quiet === true,
  };
}
