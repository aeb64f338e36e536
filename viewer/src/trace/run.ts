// Run: a trace made ready to be shown: who its nodes are, what became of every message, what clients
// did. Everything is worked out once; a step can be appended while a run is watched live.
import type { HistoryEvent, Operation as OperationName, Sent, Step, Trace } from "./format";
import { Kinds, wordsOf } from "./kinds";
import { States } from "./states";
import { shapeOf, show, type Json } from "./value";

export type Fate = "delivered" | "dropped" | "lost" | "in flight";

/** One way of a message (or a component's event) through time. Steps are numbered from 1; 0 is the start. */
export interface Message {
  id: number;
  kind: "deliver" | "event" | "request" | "other";
  from: number; // -1: from outside
  to: number;
  type: string;
  text: string;
  sentAt: number;
  endedAt: number; // delivered, dropped or lost in this step; -1: in flight at the end
  fate: Fate;
  copiedAt: number; // the step that made this copy; 0: it is no copy
  again: boolean; // delivered once more, where messages stay deliverable: nobody sent it again
}

export interface Operation {
  client: number;
  index: number; // the how-manieth of its client, from 0
  call: string;
  result: string | null;
  from: number; // the step of the call; 0: while the system started
  to: number; // the step of the return; -1: it never returned
  point: number; // takes effect right after this step; -1: unknown
  reason: boolean; // the reason of the violation is about it
  unplaced: boolean; // it has no place among the others
}

export interface Lane {
  node: number;
  name: string; // "1", or what people call it
  type: string;
  component: boolean;
}

function messageKey(kind: string, from: number, to: number, type: string, digest: string): string {
  return `${kind}\u0000${from}\u0000${to}\u0000${type}\u0000${digest}`;
}

const keyOfSent = (sent: Sent) =>
  messageKey(sent.kind ?? "deliver", sent.from ?? -1, sent.to ?? -1, sent.type ?? "", sent.payload_digest ?? "");

function keyOfStep(step: Step): string {
  const about = step.kind === "drop" || step.kind === "duplicate" ? "deliver" : step.kind;
  return messageKey(about, step.from ?? -1, step.node ?? -1, step.type ?? "", step.payload_digest ?? "");
}

export class Run {
  readonly lanes: Lane[];
  readonly messages: Message[] = [];
  readonly operations: Operation[] = [];
  readonly states: States;
  readonly kinds: Kinds;
  /** By step: the messages that it sent, and the one that it took (delivered, dropped, copied). */
  readonly sentBy: Message[][] = [];
  readonly taken: (Message | null)[] = [null];
  readonly messageTypes = new Set<string>();
  private readonly laneOf = new Map<number, number>();
  private readonly waiting = new Map<string, Message[]>();
  private readonly lastOf = new Map<string, Message>();
  private readonly open = new Map<number, Operation>();
  private readonly counts = new Map<number, number>();
  private readonly points = new Map<string, number>();
  private readonly reasons: ReadonlySet<string>;
  private readonly unplaced: ReadonlySet<string>;

  constructor(readonly trace: Trace, public name = "run", public role = "run",
    /** The subject on a command line, as a user would type it; "": not known. */
    readonly subject = "",
    /** Of a replay that did not go as its trace has it: where and why; "": it did, or it is none. */
    readonly divergence = "") {
    this.lanes = (trace.nodes ?? []).map((node) => ({
      node,
      name: trace.node_names?.[String(node)] ?? String(node),
      type: trace.node_types?.[String(node)] ?? "",
      component: trace.initially?.parts?.some((part) => part.node === node && part.component) ?? false,
    }));
    this.lanes.forEach((lane, i) => this.laneOf.set(lane.node, i));
    this.states = new States(trace);
    this.kinds = new Kinds(trace);
    for (const point of trace.points ?? []) {
      this.points.set(`${point.client}/${point.operation}`, point.step);
    }
    const keys = (list: readonly OperationName[] = []) => new Set(list.map((one) => `${one.client}/${one.operation}`));
    this.reasons = keys(trace.verdict?.operations);
    this.unplaced = keys(trace.verdict?.unplaced);
    this.sentBy.push((trace.initially?.sent ?? []).map((sent) => this.send(sent, 0)));
    this.follow(trace.initially?.history ?? [], 0);
    trace.steps.forEach((step, i) => this.take(step, i + 1));
  }

  /** Of a run that goes on for ever: after its last step it is where it was after this one. null: it ends. */
  get loopStart(): number | null {
    return this.trace.loop_start ?? null;
  }

  /** Whether there are steps that come again and again; else the last state stays. */
  get goesRound(): boolean {
    return this.loopStart !== null && this.loopStart < this.length;
  }

  get length(): number {
    return this.trace.steps.length;
  }
  /** REQUIRES: 1 ≤ number ≤ length. */
  step(number: number): Step {
    return this.trace.steps[number - 1]!;
  }
  /** The lane of a node; -1: it has none. */
  lane(node: number | undefined): number {
    return node === undefined ? -1 : (this.laneOf.get(node) ?? -1);
  }
  nodeName(node: number): string {
    const lane = this.lanes[this.lane(node)];
    return lane ? lane.name : String(node);
  }
  get violated(): boolean {
    return Boolean(this.trace.verdict);
  }
  /** Not a violation: what comes next, or what a check says, could not be said. */
  get isError(): boolean {
    return this.trace.verdict?.kind === "error";
  }
  /** The step after which the violation shows; the last one if nothing is violated. */
  get verdictStep(): number {
    return this.trace.verdict?.step ?? this.length;
  }

  /** Adds a step to a run that is watched while it goes on. */
  append(step: Step): void {
    this.trace.steps.push(step);
    this.states.append(step, this.trace.steps.length);
    this.take(step, this.trace.steps.length);
  }

  private send(sent: Sent, at: number): Message {
    const message: Message = {
      id: this.messages.length,
      kind: sent.kind === "deliver" || sent.kind === "event" || sent.kind === "request" ? sent.kind : "other",
      from: sent.from ?? -1,
      to: sent.to ?? -1,
      type: sent.type ?? "",
      text: sent.text ?? "",
      sentAt: at,
      endedAt: -1,
      fate: "in flight",
      copiedAt: 0,
      again: false,
    };
    this.messages.push(message);
    if (message.type) this.messageTypes.add(message.type);
    this.queue(keyOfSent(sent)).push(message);
    return message;
  }

  private queue(key: string): Message[] {
    let queue = this.waiting.get(key);
    if (!queue) this.waiting.set(key, (queue = []));
    return queue;
  }

  private copy(of: Message, at: number): Message {
    const message: Message = { ...of, id: this.messages.length, endedAt: -1, fate: "in flight", copiedAt: at, again: at === 0 };
    this.messages.push(message);
    return message;
  }

  private take(step: Step, number: number): void {
    this.taken.push(this.consume(step, number));
    this.sentBy.push(this.sendAll(step, number));
    for (const lost of step.lost ?? []) {
      // Of equal ones the newest is meant: filters speak of what has just been sent.
      const message = this.queue(keyOfSent(lost)).pop();
      if (!message) continue;
      message.fate = "lost";
      message.endedAt = number;
    }
    this.follow(step.history ?? [], number);
  }

  // What a step sends. Traces list the copy that a duplication makes among it: it was sent long ago.
  private sendAll(step: Step, number: number): Message[] {
    const original = step.kind === "duplicate" ? this.taken[number] : null;
    if (!original) return (step.sent ?? []).map((sent) => this.send(sent, number));
    const key = keyOfStep(step);
    const copy = this.copy(original, number);
    this.queue(key).push(copy);
    const others = (step.sent ?? []).filter((sent) => keyOfSent(sent) !== key);
    return [copy, ...others.map((sent) => this.send(sent, number))];
  }

  private consume(step: Step, number: number): Message | null {
    if (!["deliver", "event", "request", "drop", "duplicate"].includes(step.kind)) return null;
    const key = keyOfStep(step);
    const queue = this.queue(key);
    if (step.kind === "duplicate") return queue[0] ?? this.lastOf.get(key) ?? null;
    // The oldest identical one; in networks where messages stay deliverable, the same once more.
    let message = queue.shift();
    const last = this.lastOf.get(key);
    if (!message && last) message = this.copy(last, 0);
    if (!message) return null;
    message.endedAt = number;
    message.fate = step.kind === "drop" ? "dropped" : "delivered";
    this.lastOf.set(key, message);
    return message;
  }

  private follow(events: HistoryEvent[], at: number): void {
    for (const event of events) {
      if (event.event === "invoke") {
        const index = this.counts.get(event.client) ?? 0;
        this.counts.set(event.client, index + 1);
        const key = `${event.client}/${index}`;
        const operation: Operation = {
          client: event.client, index, call: event.text ?? "", result: null, from: at, to: -1,
          point: this.points.get(key) ?? -1, reason: this.reasons.has(key), unplaced: this.unplaced.has(key),
        };
        this.operations.push(operation);
        this.open.set(event.client, operation);
      } else {
        const operation = this.open.get(event.client);
        if (!operation) continue;
        operation.result = event.text ?? "";
        operation.to = at;
        this.open.delete(event.client);
      }
    }
  }

  /** One line for people, as the terminal shows it. */
  label(number: number): string {
    if (number === 0) return "start";
    return showStep(this.step(number), (node) => this.nodeName(node), this.kinds);
  }
}

/** The same words as the engine's show(action). */
export function showStep(step: Step, name: (node: number) => string, kinds?: Kinds): string {
  const tail = (step.choices?.length ? ` [choose ${step.choices.join(", ")}]` : "") +
    (step.crash_at_persist ? ` [crash after persist ${step.crash_at_persist}]` : "");
  return plainStep(step, name, kinds) + tail;
}

// The type with what it carries: a record shows its own name, anything else stands behind the type.
function contentOf(step: Step): string {
  const type = step.type ?? "";
  if (step.payload === undefined || step.payload === null) return type;
  const payload = show(step.payload as Json);
  const shape = shapeOf(step.payload as Json);
  const named = shape.kind === "record" && (type === "" || shape.type === type);
  return named || type === "" ? payload : `${type} ${payload}`;
}

function plainStep(step: Step, name: (node: number) => string, kinds?: Kinds): string {
  const node = step.node === undefined || step.node < 0 ? "" : name(step.node);
  const from = step.from === undefined || step.from < 0 ? "" : name(step.from);
  const place = from && node ? ` ${from}→${node}` : node ? ` at ${node}` : "";
  switch (step.kind) {
    case "deliver":
    case "event":
    case "drop":
    case "duplicate":
    case "request":
      return `${step.kind} ${contentOf(step)}${place}`;
    case "timer":
      return `timer ${step.type ?? ""} at ${node}`;
    case "detect":
      return `detect crash of ${from} at ${node}`;
    case "restore":
      return `restore trust in ${from} at ${node}`;
    case "suspect":
      return `suspect ${from} wrongly at ${node}`;
    case "crash":
    case "recover":
      return `${step.kind} ${node}`;
    case "partition":
      return `partition ${step.type ?? ""}`;
    case "heal":
      return "heal";
    case "choose":
      return `choose ${step.type ?? ""} at ${node}`;
    default: {
      const described = kinds?.described.get(step.kind);
      if (described) return wordsOf(described, node, from, contentOf(step));
      return (contentOf(step) || step.kind) + place;
    }
  }
}
