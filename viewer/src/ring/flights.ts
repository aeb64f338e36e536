// Where messages are at a moment between steps. A message leaves its sender when it is sent, waits
// near its receiver, and arrives in the step that takes it.
import { isFlight, type DiagramModel } from "../diagram/model";
import type { Message } from "../trace/run";

export type Way = "moving" | "waiting" | "arrived" | "dropped" | "lost";

export interface Flight {
  message: Message;
  way: Way;
  at: number; // 0: at the sender, 1: at the receiver
  fallen: number; // 0: not at all, 1: it is gone
}

export const NEAR = 0.74; // where messages wait
const LEAVING = 0.1; // just sent, but to be seen
const MOST = 150; // single messages that are drawn

const ease = (t: number) => t * t * (3 - 2 * t);
const between = (a: number, b: number, t: number) => a + (b - a) * Math.max(0, Math.min(1, t));

/** Where a message is at a moment; null: not on its way. */
export function flightAt(message: Message, moment: number): Flight | null {
  const start = Math.max(message.sentAt, message.copiedAt);
  const end = message.endedAt;
  if (moment < start) return null;
  // A copy is made in the network; it begins where its original waits.
  const first = message.copiedAt > 0 ? NEAR - 0.12 : LEAVING;
  if (message.fate === "lost" && end <= start) {
    if (moment >= end + 1) return null;
    return { message, way: "lost", at: 0.3, fallen: between(0, 1, moment - end) };
  }
  if (end < 0 || moment < end) {
    const left = moment - start;
    const quick = end >= 0 && end - start <= 1;
    if (quick) return { message, way: "moving", at: between(first, 1, ease(left)), fallen: 0 };
    if (left < 1) return { message, way: "moving", at: between(first, NEAR, ease(left)), fallen: 0 };
    if (end < 0 || moment <= end - 1) return { message, way: "waiting", at: NEAR, fallen: 0 };
    const last = moment - (end - 1);
    const at = message.fate === "delivered" ? between(NEAR, 1, ease(last)) : NEAR;
    return { message, way: "moving", at, fallen: 0 };
  }
  if (moment >= end + 1) return null;
  if (message.fate === "delivered") {
    return moment < end + 0.5 ? { message, way: "arrived", at: 1, fallen: 0 } : null;
  }
  const way = message.fate === "lost" ? "lost" : "dropped";
  return { message, way, at: NEAR, fallen: between(0, 1, moment - end) };
}

/** Messages that wait for the same receiver from the same sender. */
export interface Waiting {
  from: number;
  to: number;
  count: number;
  types: string[];
}

export interface Sky {
  flights: Flight[]; // drawn one by one
  waiting: Waiting[]; // drawn with a count
  waitingAt: Map<number, number>; // by receiver: how many
}

export function skyAt(model: DiagramModel, moment: number, hidden: ReadonlySet<string>): Sky {
  const sky: Sky = { flights: [], waiting: [], waitingAt: new Map() };
  const groups = new Map<string, Waiting>();
  const take = (message: Message) => {
    if (!isFlight(message) || hidden.has(message.type)) return;
    const flight = flightAt(message, moment);
    if (!flight) return;
    if (flight.way !== "waiting") {
      if (sky.flights.length < MOST) sky.flights.push(flight);
      return;
    }
    const { from, to, type } = message;
    const key = `${from} ${to}`;
    const group = groups.get(key);
    if (group) {
      group.count += 1;
      if (!group.types.includes(type)) group.types.push(type);
    } else {
      groups.set(key, { from, to, count: 1, types: [type] });
    }
    sky.waitingAt.set(to, (sky.waitingAt.get(to) ?? 0) + 1);
  };
  const row = Math.floor(moment);
  model.arrows.visit(Math.max(0, row - 1), row + 1, (id) => { take(model.run.messages[id]!); });
  for (const [sentAt, messages] of model.stubs) {
    if (sentAt <= moment) messages.forEach(take);
  }
  sky.waiting = [...groups.values()];
  return sky;
}
