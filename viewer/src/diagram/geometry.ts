// The ways of messages on the screen, for painting and for pointing at them.
import type { Message } from "../trace/run";
import { xOf, yOf, type Columns, type View } from "./layout";
import { isStub, type DiagramModel } from "./model";

export interface Way {
  shape: "line" | "loop";
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  bulge: number; // of a loop, to the left
}

const MARK = 7; // arrows end at the edge of the mark

/** The way of a message that has arrived or was dropped later than sent. */
export function wayOf(model: DiagramModel, columns: Columns, view: View, message: Message): Way | null {
  const to = model.laneOf(message.to);
  const from = message.from < 0 ? to : model.laneOf(message.from);
  if (to < 0 || from < 0 || isStub(message)) return null;
  const x1 = xOf(columns, view, from);
  const y1 = yOf(view, message.sentAt);
  const y2 = yOf(view, message.endedAt);
  const dropped = message.fate !== "delivered";
  if (from === to) {
    const bulge = Math.min(columns.gap * 0.4, 18 + (y2 - y1) / 14);
    return { shape: "loop", x1, y1, x2: x1 - 6, y2: y2 - (dropped ? 0 : 2), bulge };
  }
  return shorten(x1, y1, xOf(columns, view, to), y2, columns.gap, dropped);
}

/** What ends before it reaches the other lane, or at the edge of the mark there. */
export function shorten(
  x1: number, y1: number, x: number, y2: number, gap: number, dropped: boolean,
): Way {
  const side = x > x1 ? 1 : -1;
  const x2 = dropped ? x - side * Math.min(0.3 * gap, Math.abs(x - x1) / 2) : x;
  const length = Math.max(1, Math.hypot(x2 - x1, y2 - y1));
  const stop = dropped ? 0 : Math.min(MARK, length / 2);
  return {
    shape: "line", x1, y1, bulge: 0,
    x2: x2 - (stop * (x2 - x1)) / length, y2: y2 - (stop * (y2 - y1)) / length,
  };
}

/** The point of a loop at t in [0, 1]: a cubic curve with both handles out to the left. */
export function loopPoint(way: Way, t: number): [number, number] {
  const s = 1 - t;
  const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
  const out = way.x1 - way.bulge * 1.33;
  return [
    a * way.x1 + (b + c) * out + d * way.x2,
    a * way.y1 + b * (way.y1 + 6) + c * (way.y2 - 6) + d * way.y2,
  ];
}

/** How far a point is from a way. */
export function distanceTo(way: Way, x: number, y: number): number {
  if (way.shape === "line") return toSegment(way.x1, way.y1, way.x2, way.y2, x, y);
  let least = Infinity;
  let [px, py] = loopPoint(way, 0);
  for (let i = 1; i <= 12; ++i) {
    const [qx, qy] = loopPoint(way, i / 12);
    least = Math.min(least, toSegment(px, py, qx, qy, x, y));
    [px, py] = [qx, qy];
  }
  return least;
}

function toSegment(x1: number, y1: number, x2: number, y2: number, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = ((x - x1) * dx + (y - y1) * dy) / Math.max(1e-9, dx * dx + dy * dy);
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}

/** The stubs of one row: what is under way or lost goes out to one side, once for all receivers. */
export interface StubGroup {
  x: number;
  y: number;
  side: 1 | -1;
  fate: Message["fate"];
  copy: boolean;
  messages: Message[];
}

/** REQUIRES: the messages were sent in `row` and are stubs. */
export function stubGroups(
  model: DiagramModel, columns: Columns, view: View, row: number, messages: readonly Message[],
): StubGroup[] {
  const groups: StubGroup[] = [];
  for (const message of messages) {
    const to = model.laneOf(message.to);
    const from = message.from < 0 ? to : model.laneOf(message.from);
    if (from < 0 || to < 0) continue;
    const side = to > from ? 1 : -1;
    const copy = message.copiedAt > 0;
    const x = xOf(columns, view, from);
    const same = groups.find((group) =>
      group.x === x && group.side === side && group.fate === message.fate && group.copy === copy);
    if (same) same.messages.push(message);
    else groups.push({ x, y: yOf(view, row), side, fate: message.fate, copy, messages: [message] });
  }
  return groups;
}

/** Where the n-th group of a row ends, so that groups do not lie on one another. */
export function stubEnd(group: StubGroup, nth: number, gap: number, rowPx: number): [number, number] {
  const reach = Math.min(0.34 * gap, 46);
  return [group.x + group.side * reach, group.y + Math.min(rowPx, 34) * (0.36 + 0.3 * nth)];
}
