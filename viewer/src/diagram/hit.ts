// What a point of the picture means.
import type { Message } from "../trace/run";
import { distanceTo, wayOf } from "./geometry";
import { detailOf, rowAt, seenRows, xOf, yOf, type Columns, type View } from "./layout";
import type { DiagramModel, PlacedOperation } from "./model";

export type Hit =
  | { what: "step"; row: number }
  | { what: "message"; message: Message; row: number } // row: the nearer end
  | { what: "operation"; placed: PlacedOperation; row: number }
  | { what: "row"; row: number }
  | { what: "nothing" };

const NEAR_MARK = 11;
const NEAR_WAY = 5;
export const BAR_LEFT = 9; // of operations, beside their lane
export const BAR_WIDTH = 9;

export function hitTest(
  model: DiagramModel, columns: Columns, view: View, height: number, x: number, y: number,
  hidden: ReadonlySet<string>,
): Hit {
  const row = Math.round(rowAt(view, y));
  if (row < 0 || row > model.rows) return { what: "nothing" };
  const inLanes = x >= columns.lanesLeft && x < columns.lanesRight;
  if (!inLanes || detailOf(view.rowPx) === "sums") return { what: "row", row };
  if (row > 0) {
    const lane = model.laneOfStep(model.run.step(row));
    const mark = lane >= 0 && Math.abs(x - xOf(columns, view, lane)) <= NEAR_MARK;
    if (mark && Math.abs(y - yOf(view, row)) <= NEAR_MARK) return { what: "step", row };
  }
  const operation = operationAt(model, columns, view, height, x, y);
  if (operation) return { what: "operation", placed: operation, row };
  const message = messageAt(model, columns, view, height, x, y, hidden);
  if (!message) return { what: "row", row };
  const toStart = Math.abs(y - yOf(view, message.sentAt));
  const toEnd = Math.abs(y - yOf(view, message.endedAt));
  const nearer = toStart < toEnd ? message.sentAt : message.endedAt;
  return { what: "message", message, row: nearer };
}

function operationAt(
  model: DiagramModel, columns: Columns, view: View, height: number, x: number, y: number,
): PlacedOperation | null {
  let found: PlacedOperation | null = null;
  const row = Math.round(rowAt(view, y));
  model.operations.visit(Math.max(0, row), row, (placed) => {
    const left = xOf(columns, view, placed.lane) + BAR_LEFT;
    const bottom = placed.to < 0 ? height : yOf(view, placed.to);
    const inside = y >= yOf(view, placed.from) - 4 && y <= bottom + 4;
    if (inside && x >= left - 1 && x <= left + BAR_WIDTH + 1) found = placed;
  });
  return found;
}

/** The nearest way within reach. Only ways that cross the row of the point are looked at. */
export function messageAt(
  model: DiagramModel, columns: Columns, view: View, height: number, x: number, y: number,
  hidden: ReadonlySet<string>,
): Message | null {
  let found: Message | null = null;
  let least = NEAR_WAY;
  const { low, high } = seenRows(view, model.rows, height);
  const row = rowAt(view, y);
  const from = Math.max(low, Math.floor(row - 1));
  const to = Math.min(high, Math.ceil(row + 1));
  model.arrows.visit(from, to, (id) => {
    const message = model.run.messages[id]!;
    if (hidden.has(message.type)) return;
    const way = wayOf(model, columns, view, message);
    if (!way) return;
    const distance = distanceTo(way, x, y);
    if (distance > least) return;
    least = distance;
    found = message;
  });
  return found;
}
