// Made from docs/reference/trace.schema.json by `npm run types`.

export type Digest = string;
export type Kind =
  | "deliver"
  | "request"
  | "event"
  | "timer"
  | "detect"
  | "restore"
  | "step"
  | "choose"
  | "crash"
  | "recover"
  | "drop"
  | "duplicate"
  | "partition"
  | "heal"
  | "suspect";

/**
 * One run of a system, step by step. docs/reference/trace.md explains the fields.
 */
export interface Trace {
  format: "ordeal-trace";
  version: 1;
  system: string;
  parameters?: {
    [k: string]: string;
  };
  scenario?: string;
  source?: string;
  free_faults?: boolean;
  strategy?: string;
  seed?: number;
  short?: string;
  verdict?: Verdict | null;
  minimised_from?: number;
  nodes?: number[];
  node_types?: {
    [k: string]: string;
  };
  node_names?: {
    [k: string]: string;
  };
  kinds?: DescribedKind[];
  initial?: number;
  initial_digest?: Digest;
  initially?: Initially;
  points?: LinearPoint[];
  loop_start?: number;
  steps: Step[];
}
export interface Verdict {
  property: string;
  kind?: string;
  word?: string;
  why?: string;
  nodes?: number[];
  step?: number;
  operations?: Operation[];
  unplaced?: Operation[];
}
/**
 * An operation of the history: the how-manieth of its client, from 0.
 */
export interface Operation {
  client: number;
  operation: number;
}
/**
 * A kind of actions besides those of every world, as the world describes it.
 */
export interface DescribedKind {
  name: string;
  words?: string;
  mark?: string;
  colour?: "plain" | "muted" | "blue" | "violet" | "amber" | "red";
  fault?: boolean;
}
export interface Initially {
  sent?: Sent[];
  history?: HistoryEvent[];
  parts?: Part[];
}
export interface Sent {
  kind?: Kind;
  from?: number;
  to?: number;
  type?: string;
  text?: string;
  payload_digest?: Digest;
}
export interface HistoryEvent {
  client: number;
  event: "invoke" | "return";
  text?: string;
}
/**
 * A part of the initial state, whole: a node, a component, the budgets of faults.
 */
export interface Part {
  name: string;
  node?: number;
  type?: string;
  component?: boolean;
  up?: boolean;
  tree?: unknown;
}
export interface LinearPoint {
  client: number;
  operation: number;
  step: number;
}
export interface Step {
  step?: number;
  /**
   * A Kind, or one of kinds.
   */
  kind: string;
  node?: number;
  from?: number;
  type?: string;
  payload?: unknown;
  payload_digest?: Digest;
  choices?: number[];
  crash_at_persist?: number;
  choice: number;
  enabled?: number;
  occurrence?: number;
  causes?: number[];
  digest?: Digest;
  node_digest?: Digest;
  changes?: Change[];
  sent?: Sent[];
  decided?: string[];
  timers?: string[];
  history?: HistoryEvent[];
  log?: string[];
  scenario?: string[];
  lost?: Sent[];
  failure?: string;
  parts?: PartChange[];
}
export interface Change {
  path?: string;
  before: string;
  after: string;
}
/**
 * What a step changed in a part.
 */
export interface PartChange {
  name: string;
  up?: boolean;
  patch?: PatchStep[];
}
/**
 * Of RFC 6902.
 */
export interface PatchStep {
  op: "add" | "replace" | "remove";
  path: string;
  value?: unknown;
}
