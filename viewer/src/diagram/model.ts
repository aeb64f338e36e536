// What a run looks like as a space-time diagram: its lanes, and what stretches over its rows, filed so
// that a part of it is found without going through all of it. Row 0 is the start, row n is step n.
import type { Step } from "../trace/format";
import { type Message, type Operation, type Run } from "../trace/run";
import { Density } from "./density";
import { IntervalIndex, Stretches, type Stretch } from "./intervals";
import { blockOf, parseBlocks } from "./partition";

export interface DiagramLane {
  node: number;
  name: string;
  type: string;
  component: boolean;
  client: boolean; // somebody outside, known from the history only
}

export interface Down extends Stretch {
  lane: number;
}

export interface Partition extends Stretch {
  text: string;
  blocks: Map<number, number>; // by node
}

export interface PlacedOperation extends Stretch {
  lane: number;
  operation: Operation;
}

/** What a failure detector noticed: from what happened to who is told. */
export interface Notice {
  fromLane: number;
  toLane: number;
  from: number;
  to: number;
}

const MOST_LANES = 64; // a hostile trace may name millions of nodes

/** Whether a message is drawn from its sending on; the others are drawn where they arrive. */
export const isFlight = (message: Message) => message.kind === "deliver" || message.kind === "event";

/** Drawn at its start only: under way at the end, or taken away at once. */
export const isStub = (message: Message) =>
  message.endedAt < 0 || (message.fate !== "delivered" && message.endedAt <= message.sentAt);

export class DiagramModel {
  readonly lanes: DiagramLane[] = [];
  readonly arrows = new IntervalIndex(); // of messages, by id
  readonly stubs = new Map<number, Message[]>(); // by the row of sending
  readonly notices: Notice[] = [];
  readonly noticeIndex = new IntervalIndex();
  readonly down = new Stretches<Down>();
  readonly partitions = new Stretches<Partition>();
  readonly operations = new Stretches<PlacedOperation>();
  readonly operationLanes = new Set<number>(); // lanes that have some
  readonly density = new Density();
  readonly typeCounts = new Map<string, number>();
  rows = 0;
  private readonly laneOfNode = new Map<number, number>();
  private readonly pending = new Set<Message>();
  private readonly isDown = new Map<number, Down>();
  private readonly lastCrash = new Map<number, number>();
  private readonly lastReturn = new Map<number, number>();
  private readonly labels = new Map<number, string>();
  private partition: Partition | null = null;
  private seenMessages = 0;
  private seenOperations = 0;

  constructor(readonly run: Run) {
    for (const lane of run.lanes) this.addLane({ ...lane, client: false });
    const anybody = this.lanes.length > 0 || run.trace.steps.some((step) => (step.node ?? -1) >= 0);
    if (!anybody) {
      this.addLane({ node: -1, name: "state", type: "", component: false, client: false });
    }
    this.sync();
  }

  /** The lane of a node; -1: it has none, as whole-system actions have. */
  laneOf(node: number | undefined): number {
    if (node === undefined) return this.lanes[0]?.node === -1 ? 0 : -1;
    return this.laneOfNode.get(node) ?? -1;
  }

  laneOfStep(step: Step): number {
    return this.laneOf(step.node);
  }

  isUp(lane: number, row: number): boolean {
    return !this.down.covers(row, (down) => down.lane === lane);
  }

  partitionAt(row: number): Partition | null {
    let found: Partition | null = null;
    this.partitions.visit(row, row, (part) => {
      if (part.to < 0 || part.to > row) found = part;
    });
    return found;
  }

  /** The text of a row; texts are kept, as payloads take time to write. */
  label(row: number): string {
    let text = this.labels.get(row);
    if (text === undefined) this.labels.set(row, (text = this.run.label(row)));
    return text;
  }

  /** Takes in what the run has got since the last time; answers whether there was anything. */
  sync(): boolean {
    const { run } = this;
    if (this.rows === run.length && this.seenMessages === run.messages.length && this.rows > 0) {
      return false;
    }
    for (let row = this.rows + 1; row <= run.length; ++row) this.takeStep(run.step(row), row);
    this.rows = run.length;
    for (const message of this.pending) if (!isStub(message)) this.land(message);
    for (; this.seenMessages < run.messages.length; ++this.seenMessages) {
      this.takeMessage(run.messages[this.seenMessages]!);
    }
    for (const open of this.operations.open) {
      if (open.operation.to >= 0) this.operations.end(open, open.operation.to);
    }
    for (; this.seenOperations < run.operations.length; ++this.seenOperations) {
      const operation = run.operations[this.seenOperations]!;
      const lane = this.clientLane(operation.client);
      this.operationLanes.add(lane);
      this.operations.add({ lane, operation, from: operation.from, to: operation.to });
    }
    return true;
  }

  private addLane(lane: DiagramLane): number {
    if (this.lanes.length >= MOST_LANES) return this.lanes.length - 1;
    this.laneOfNode.set(lane.node, this.lanes.length);
    return this.lanes.push(lane) - 1;
  }

  private ensureLane(node: number | undefined): number {
    if (node === undefined || node < 0) return this.laneOf(node);
    const known = this.laneOfNode.get(node);
    if (known !== undefined) return known;
    const name = this.run.nodeName(node);
    return this.addLane({ node, name, type: "", component: false, client: false });
  }

  private clientLane(client: number): number {
    const known = this.laneOfNode.get(client);
    if (known !== undefined) return known;
    const name = `client ${client}`;
    return this.addLane({ node: client, name, type: "", component: false, client: true });
  }

  private takeMessage(message: Message): void {
    if (!isFlight(message)) return;
    if (message.from >= 0) this.ensureLane(message.from);
    if (message.to >= 0) this.ensureLane(message.to);
    this.typeCounts.set(message.type, (this.typeCounts.get(message.type) ?? 0) + 1);
    if (!isStub(message)) {
      this.arrows.add(message.id, message.sentAt, message.endedAt);
      return;
    }
    const stubs = this.stubs.get(message.sentAt);
    if (stubs) stubs.push(message);
    else this.stubs.set(message.sentAt, [message]);
    if (message.endedAt < 0) this.pending.add(message);
  }

  // What was under way has arrived.
  private land(message: Message): void {
    this.pending.delete(message);
    const stubs = this.stubs.get(message.sentAt)?.filter((other) => other !== message) ?? [];
    if (stubs.length > 0) this.stubs.set(message.sentAt, stubs);
    else this.stubs.delete(message.sentAt);
    this.arrows.add(message.id, message.sentAt, message.endedAt);
  }

  private takeStep(step: Step, row: number): void {
    const lane = this.ensureLane(step.node);
    const about = step.from ?? -1;
    if (lane >= 0) this.density.add(row, lane, this.run.kinds.isFault(step.kind));
    switch (step.kind) {
      case "detect":
        this.notice(lane, this.ensureLane(step.from), this.lastCrash.get(about), row);
        break;
      case "restore":
        this.notice(lane, this.ensureLane(step.from), this.lastReturn.get(about), row);
        break;
      case "suspect":
        this.lastReturn.set(about, row);
        break;
      case "crash":
        this.goDown(step.node, lane, row);
        break;
      case "recover": {
        const down = this.isDown.get(lane);
        if (down) this.down.end(down, row);
        this.isDown.delete(lane);
        this.lastReturn.set(step.node ?? -1, row);
        break;
      }
      case "partition":
      case "heal":
        if (this.partition) this.partitions.end(this.partition, row);
        this.partition = step.kind === "heal" ? null : {
          from: row, to: -1, text: step.type ?? "", blocks: blockOf(parseBlocks(step.type ?? "")),
        };
        if (this.partition) this.partitions.add(this.partition);
        break;
      default:
        // Of a described kind: from whom to whom, at once.
        if (about >= 0 && about !== step.node && this.run.kinds.described.has(step.kind)) {
          this.notice(lane, this.ensureLane(about), row, row);
        }
        break;
    }
    if (step.crash_at_persist) this.goDown(step.node, lane, row);
  }

  private goDown(node: number | undefined, lane: number, row: number): void {
    this.lastCrash.set(node ?? -1, row);
    if (lane < 0 || this.isDown.has(lane)) return;
    const down: Down = { lane, from: row, to: -1 };
    this.isDown.set(lane, down);
    this.down.add(down);
  }

  private notice(toLane: number, fromLane: number, from: number | undefined, to: number): void {
    if (from === undefined || toLane < 0 || fromLane < 0) return;
    this.noticeIndex.add(this.notices.length, from, to);
    this.notices.push({ fromLane, toLane, from, to });
  }
}

const models = new WeakMap<Run, DiagramModel>();

/** The model of a run, made once and brought up to date. */
export function modelOf(run: Run): DiagramModel {
  let model = models.get(run);
  if (model) model.sync();
  else models.set(run, (model = new DiagramModel(run)));
  return model;
}
