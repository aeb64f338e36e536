// Made from docs/reference/serve.schema.json by `npm run types`.
import type { Step, Trace, Verdict } from "../trace/format";

export type Count = number;
export type NodeOrNone = number;
export type TraceOfARun = Trace;
export type StepOfARun = Step;
export type VerdictOfARun = Verdict | null;
export type JobKind = "check" | "scenarios";
export type ParameterKind = "number" | "real" | "word" | "nodes" | "flag";
export type JobState = "running" | "done" | "failed" | "stopped";

/**
 * What a page and `ordeal serve` say to each other. docs/reference/serve.md explains it; `endpoints` says which definition is asked and answered where, ID being that of a job or a live run.
 */
export interface Messages {
  Count: Count;
  NodeOrNone: NodeOrNone;
  Parameters: Parameters;
  TraceOfARun: TraceOfARun;
  StepOfARun: StepOfARun;
  VerdictOfARun: VerdictOfARun;
  Problem: Problem;
  Nothing: Nothing;
  Address: Address;
  AddressAsk: AddressAsk;
  StepAsk: StepAsk;
  ReplayAsk: ReplayAsk;
  ImportAsk: ImportAsk;
  JobAsk: JobAsk;
  JobOptions: JobOptions;
  LiveAsk: LiveAsk;
  LiveOptions: LiveOptions;
  CommandAsk: CommandAsk;
  Started: Started;
  Says: Says;
  Suite: Suite;
  Subject: Subject;
  Parameter: Parameter;
  ParameterKind: ParameterKind;
  Bug: Bug;
  Scenario: Scenario;
  Strategy: Strategy;
  Action: Action;
  PropertyVerdict: PropertyVerdict;
  Here: Here;
  Ran: Ran;
  Stepped: Stepped;
  Replayed: Replayed;
  Imported: Imported;
  Point: Point;
  Finding: Finding;
  Reached: Reached;
  ScenarioOutcome: ScenarioOutcome;
  NamedRun: NamedRun;
  JobKind: JobKind;
  JobState: JobState;
  Job: Job;
  Jobs: Jobs;
  Lives: Lives;
  LiveName: LiveName;
  LiveSoFar: LiveSoFar;
  LiveStatus: LiveStatus;
  LiveNode: LiveNode;
  LiveLink: LiveLink;
  LiveRequest: LiveRequest;
  Unfinished: Unfinished;
  Note: Note;
  Over: Over;
}
/**
 * As on the command line; of an address with "bug".
 */
export interface Parameters {
  [k: string]: string;
}
/**
 * What was refused, with a status from 400.
 */
export interface Problem {
  error: string;
}
export interface Nothing {}
/**
 * Which run: enough to run it again.
 */
export interface Address {
  system: string;
  parameters?: Parameters;
  scenario?: string;
  /**
   * Empty or absent: nothing has happened yet.
   */
  short?: string;
  free_faults?: boolean;
}
export interface AddressAsk {
  address: Address;
}
export interface StepAsk {
  address: Address;
  choice: Count;
}
export interface ReplayAsk {
  trace: TraceOfARun;
  parameters?: Parameters;
}
export interface ImportAsk {
  text: string;
  name?: string;
  format?: "auto" | "trace" | "shiviz" | "maelstrom";
  parser?: string;
}
export interface JobAsk {
  kind: JobKind;
  address?: Address;
  /**
   * Of scenarios.
   */
  names?: string[];
  options?: JobOptions;
}
export interface JobOptions {
  strategy?: string;
  seed?: Count;
  max_runs?: Count;
  max_states?: Count;
  max_steps?: Count;
  max_depth?: Count;
  max_seconds?: number;
  keep_going?: boolean;
  threads?: Count;
  reduce?: string;
  symmetry?: boolean;
  require_coverage?: boolean;
  /**
   * Of scenarios.
   */
  bug?: string;
  iterations?: Count;
  /**
   * Options of strategies, as the suite names them.
   */
  [k: string]: string | number | boolean | undefined;
}
export interface LiveAsk {
  system: string;
  parameters?: Parameters;
  options?: LiveOptions;
}
export interface LiveOptions {
  unit_ms?: number;
  /**
   * The least and the most.
   */
  latency_ms?: number[];
  seed?: Count;
  /**
   * Until a person sends them.
   */
  hold_requests?: boolean;
}
export interface CommandAsk {
  text: string;
}
export interface Started {
  id: string;
}
export interface Says {
  says: string;
}
export interface Suite {
  version: string;
  subjects: Subject[];
  scenarios: Scenario[];
  strategies: Strategy[];
}
export interface Subject {
  name: string;
  what: string;
  parameters: Parameter[];
  bugs: Bug[];
}
export interface Parameter {
  name: string;
  what: string;
  default: string;
  kind: ParameterKind;
  least?: number;
  most?: number;
  words?: string[];
}
export interface Bug {
  name: string;
  what: string;
  property: string;
}
export interface Scenario {
  name: string;
  subject: string;
  what: string;
  parameters: Parameters;
  /**
   * A planted bug; empty: none.
   */
  catches: string;
}
export interface Strategy {
  name: string;
  what: string;
  /**
   * It saves states and comes back to them.
   */
  stateful: boolean;
  /**
   * It picks runs step by step.
   */
  samples: boolean;
  /**
   * Scenarios can be run by it.
   */
  scenarios: boolean;
  /**
   * That only some strategies have.
   */
  options: Parameter[];
}
/**
 * One that could be taken.
 */
export interface Action {
  choice: Count;
  text: string;
  kind: string;
  node?: Count;
  from?: Count;
  type?: string;
  progress: boolean;
}
export interface PropertyVerdict {
  property: string;
  kind: string;
  violated: boolean;
  reached: boolean;
  why: string;
  nodes: NodeOrNone[];
  /**
   * Of a live run: where it was violated or reached; 0: nowhere.
   */
  step?: number;
}
/**
 * What is possible and what is true at the end of a run.
 */
export interface Here {
  actions: Action[];
  terminal: boolean;
  within: boolean;
  failure: string;
  error: string;
  verdicts: PropertyVerdict[];
}
export interface Ran {
  trace: TraceOfARun;
  here: Here;
}
export interface Stepped {
  step: StepOfARun;
  short: string;
  verdict: VerdictOfARun;
  here: Here;
}
export interface Replayed {
  reproduced: boolean;
  diverged_at: Count;
  why: string;
  trace: TraceOfARun;
}
export interface Imported {
  trace: TraceOfARun;
}
/**
 * Where a search was: of a check all but the last three, of scenarios those.
 */
export interface Point {
  seconds: number;
  states?: Count;
  distinct?: Count;
  runs?: Count;
  depth?: Count;
  queue?: Count;
  bytes?: Count;
  violations?: Count;
  done?: Count;
  total?: Count;
  /**
   * The scenario that is under way.
   */
  name?: string;
}
/**
 * While the search goes on, what it is; in the end, all of it.
 */
export interface Finding {
  seconds?: number;
  property: string;
  kind?: string;
  why?: string;
  nodes?: NodeOrNone[];
  address?: Address;
  scenario?: string;
}
export interface Reached {
  seconds: number;
  property: string;
}
/**
 * One that could not be run has the first three alone.
 */
export interface ScenarioOutcome {
  name: string;
  verdict: "holds" | "violated" | "undecided";
  outcome: string;
  effort?: string;
  expectation?: string;
  system?: string;
  parameters?: Parameters;
  strategy?: string;
  runs?: Count;
  successes?: Count;
  failures?: Count;
  seconds?: number;
  notes?: string[];
  violations?: Finding[];
}
export interface NamedRun {
  name: string;
  role: "violation" | "error" | "original";
  trace: TraceOfARun;
}
/**
 * A list of jobs has no `runs`, the last event of a stream no `progress`.
 */
export interface Job {
  id: string;
  kind: JobKind;
  what: string;
  state: JobState;
  error?: string;
  progress?: Point[];
  findings: Finding[];
  reached: Reached[];
  scenarios?: ScenarioOutcome[];
  /**
   * docs/reference/json-report.md.
   */
  report?: unknown;
  runs?: NamedRun[];
}
export interface Jobs {
  jobs: Job[];
}
export interface Lives {
  live: LiveName[];
}
export interface LiveName {
  id: string;
  what: string;
  running: boolean;
}
export interface LiveSoFar {
  trace: TraceOfARun;
  status: LiveStatus;
}
export interface LiveStatus {
  running: boolean;
  /**
   * Nothing is under way; only somebody from outside can go on.
   */
  quiet: boolean;
  seconds: number;
  speed: number;
  steps: Count;
  /**
   * It is over.
   */
  why: string;
  nodes: LiveNode[];
  links: LiveLink[];
  requests: LiveRequest[];
  verdicts: PropertyVerdict[];
  unfinished: Unfinished[];
  unrecorded: Count;
}
export interface LiveNode {
  id: Count;
  name: string;
  up: boolean;
  paused: boolean;
  queue: Count;
}
export interface LiveLink {
  from: NodeOrNone;
  to: NodeOrNone;
  drop: boolean;
  delay_ms: number;
}
export interface LiveRequest {
  index: Count;
  node: NodeOrNone;
  text: string;
}
/**
 * A handler that had not returned when the run ended.
 */
export interface Unfinished {
  node: NodeOrNone;
  what: string;
}
export interface Note {
  text: string;
}
export interface Over {
  why: string;
}
/** What is asked. */
export interface Asks {
  "POST /api/run": AddressAsk;
  "POST /api/here": AddressAsk;
  "POST /api/step": StepAsk;
  "POST /api/replay": ReplayAsk;
  "POST /api/import": ImportAsk;
  "POST /api/jobs": JobAsk;
  "POST /api/jobs/ID/stop": Nothing;
  "POST /api/live": LiveAsk;
  "POST /api/live/ID/command": CommandAsk;
  "POST /api/live/ID/stop": Nothing;
}

/** What is answered. */
export interface Answers {
  "GET /api/suite": Suite;
  "POST /api/run": Ran;
  "POST /api/here": Here;
  "POST /api/step": Stepped;
  "POST /api/replay": Replayed;
  "POST /api/import": Imported;
  "GET /api/jobs": Jobs;
  "POST /api/jobs": Started;
  "GET /api/jobs/ID": Job;
  "POST /api/jobs/ID/stop": Nothing;
  "GET /api/live": Lives;
  "POST /api/live": Started;
  "GET /api/live/ID": LiveSoFar;
  "POST /api/live/ID/command": Says;
  "POST /api/live/ID/stop": Nothing;
}

/** What a stream tells. */
export interface Events {
  "GET /api/jobs/ID/stream": { progress: Point; finding: Finding; reached: Reached; scenario: ScenarioOutcome; done: Job };
  "GET /api/live/ID/stream": { step: StepOfARun; status: LiveStatus; note: Note; over: Over };
}
