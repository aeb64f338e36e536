// The ground of the picture: rows, partitions, lanes, what is down, operations of clients.
import { PAST } from "./causal";
import { BAR_LEFT, BAR_WIDTH } from "./hit";
import { cross, diamond } from "./glyphs";
import { xOf, yOf } from "./layout";
import type { PlacedOperation } from "./model";
import { blockName } from "./partition";
import { cutTo, rowAlpha, type Brush } from "./scene";

const LINE = 15; // height of a line of text
const LEAST_TEXT = 6; // characters; less says nothing

/** Thin lines of the rows, and the rows that matter: the violated, the selected, the one pointed at. */
export function paintRows({ ctx, scene }: Brush): void {
  const { view, palette, width } = scene;
  const high = Math.max(view.rowPx, 3);
  const band = (row: number, colour: string) => {
    ctx.fillStyle = colour;
    ctx.fillRect(0, yOf(scene.view, row) - high / 2, width, high);
  };
  if (scene.detail === "full") {
    ctx.fillStyle = palette.stripe;
    for (let row = scene.low; row <= scene.high; ++row) {
      if (row % 2 === 0) ctx.fillRect(0, yOf(view, row) - view.rowPx / 2, width, view.rowPx);
    }
  }
  if (scene.hovered >= 0 && scene.detail !== "sums") band(scene.hovered, palette.hover);
  if (scene.run.violated) {
    const row = scene.run.verdictStep;
    band(row, palette.badbg);
    ctx.strokeStyle = palette.bad;
    ctx.lineWidth = 1;
    ctx.strokeRect(0.5, yOf(view, row) - high / 2, width - 1, high);
  }
  if (!scene.run.violated || scene.selected !== scene.run.verdictStep) {
    band(scene.selected, palette.accentbg);
  }
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = 1.5;
  ctx.strokeRect(0.75, yOf(view, scene.selected) - high / 2, width - 1.5, high);
}

/** Bands over the rows in which the network is split; letters tell who is in which block. */
export function paintPartitions({ ctx, scene, places, stats, widthOf }: Brush): void {
  const { columns, view, palette } = scene;
  scene.model.partitions.visit(scene.low, scene.high, (part) => {
    const top = yOf(view, part.from);
    const bottom = part.to < 0 ? yOf(view, scene.model.rows) + view.rowPx / 2 : yOf(view, part.to);
    const left = columns.lanesLeft + 2;
    const width = Math.min(columns.lanesRight, columns.lanesLeft + columns.lanesWidth) - left - 2;
    ctx.fillStyle = palette.partbg;
    ctx.fillRect(left, top, width, Math.max(2, bottom - top));
    ctx.strokeStyle = palette.part;
    ctx.lineWidth = 1;
    ctx.setLineDash([6, 3]);
    ctx.strokeRect(left + 0.5, top, width - 1, Math.max(2, bottom - top));
    ctx.setLineDash([]);
    stats.bars += 1;
    if (scene.detail !== "full") return;
    // At the upper edge of what is seen of it.
    const y = Math.min(Math.max(top, 0) + 9, bottom - 9);
    ctx.font = `700 11px ${palette.mono}`;
    ctx.fillStyle = palette.part;
    scene.model.lanes.forEach((lane, i) => {
      const block = part.blocks.get(lane.node);
      const x = xOf(columns, view, i) - 17;
      if (block === undefined || columns.lanes[i]!.folded) return;
      if (!places.take(x - 2, y - 8, 14, 16)) return;
      ctx.fillText(blockName(block), x, y);
    });
    // The row where it begins says what it is; it is said again where that row is not seen.
    const text = `partition ${part.text}`;
    const wide = widthOf(text);
    const right = left + width - wide - 8;
    if (top >= 0 || right < left || bottom < 18 || !places.take(right, 2, wide, 14)) return;
    ctx.font = `11px ${palette.mono}`;
    ctx.fillText(text, right, 9);
  });
}

export function paintLanes({ ctx, scene }: Brush): void {
  const { columns, view, palette, height, model } = scene;
  const top = Math.max(0, yOf(view, 0) - view.rowPx / 2);
  const end = Math.min(height, yOf(view, model.rows) + view.rowPx / 2);
  ctx.strokeStyle = palette.line;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let lane = 0; lane < model.lanes.length; ++lane) {
    const x = xOf(columns, view, lane);
    ctx.moveTo(x, top);
    ctx.lineTo(x, end);
  }
  ctx.stroke();
  // What a node did belongs together: its lane joins its steps in a cone.
  for (const { lane, from, to, bits } of scene.stretches) {
    if (to < scene.low || from > scene.high) continue;
    const x = xOf(columns, view, lane);
    ctx.fillStyle = bits === PAST ? palette.past : palette.future;
    const y1 = Math.max(-4, yOf(view, from));
    ctx.fillRect(x - 1.75, y1, 3.5, Math.min(height + 4, yOf(view, to)) - y1);
  }
  // Where a node is down, its lane is broken.
  const shortest = scene.detail === "sums" ? 1 / view.rowPx : 0;
  model.down.visit(scene.low, scene.high, (down) => {
    const x = xOf(columns, view, down.lane);
    const y1 = Math.max(-4, yOf(view, down.from));
    const y2 = Math.min(height + 4, down.to < 0 ? end : yOf(view, down.to));
    const half = columns.lanes[down.lane]!.folded ? 5 : 8;
    ctx.fillStyle = palette.bg;
    ctx.fillRect(x - 1.5, y1, 3, y2 - y1);
    if (scene.detail === "sums" || y2 - y1 < 4) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(x - half, y1, 2 * half, y2 - y1);
    ctx.clip();
    ctx.strokeStyle = palette.line;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    for (let y = Math.floor(y1 / 7) * 7 - 14; y < y2 + 14; y += 7) {
      ctx.moveTo(x - half, y + 2 * half);
      ctx.lineTo(x + half, y);
    }
    ctx.stroke();
    ctx.restore();
  }, shortest);
}

const operationAlpha = ({ scene }: Brush, { from, to }: PlacedOperation) =>
  Math.max(rowAlpha(scene, from), to < 0 ? 0 : rowAlpha(scene, to));

export function paintOperations(brush: Brush): void {
  const { ctx, scene, stats } = brush;
  const { columns, view, palette, height, model } = scene;
  const shortest = scene.detail === "sums" ? 2 / view.rowPx : 0;
  model.operations.visit(scene.low, scene.high, (placed) => {
    const x = xOf(columns, view, placed.lane) + BAR_LEFT;
    if (columns.lanes[placed.lane]!.folded) return;
    const y1 = Math.max(-10, yOf(view, placed.from));
    const end = placed.to < 0 ? yOf(view, model.rows) + view.rowPx / 2 : yOf(view, placed.to);
    const y2 = Math.min(height + 10, end);
    const high = Math.max(y2 - y1, Math.min(8, view.rowPx));
    ctx.globalAlpha = operationAlpha(brush, placed);
    ctx.fillStyle = palette.opbg;
    ctx.strokeStyle = palette.op;
    ctx.lineWidth = 1.2;
    ctx.setLineDash(placed.to < 0 ? [3, 3] : []);
    ctx.beginPath();
    ctx.roundRect(x, y1, BAR_WIDTH, high, 3);
    ctx.fill();
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    stats.bars += 1;
  }, shortest);
}

export function operationText(placed: PlacedOperation): string {
  const { call, result } = placed.operation;
  return result === null ? `${call} …` : result === "" ? call : `${call} = ${result}`;
}

/** Over the messages, so that they can be read; on bars that begin above, at the upper edge. */
export function paintOperationTexts(brush: Brush): void {
  const { ctx, scene, places, stats } = brush;
  const { columns, view, palette, height } = scene;
  if (scene.detail === "sums") return;
  const charWidth = brush.widthOf("0");
  scene.model.operations.visit(scene.low, scene.high, (placed) => {
    const box = columns.lanes[placed.lane]!;
    if (box.folded) return;
    const x = xOf(columns, view, placed.lane) + BAR_LEFT;
    const { point, unplaced } = placed.operation;
    if (unplaced && placed.to >= 0) {
      ctx.strokeStyle = palette.bad;
      ctx.lineWidth = 3;
      stats.unplaced += 1;
      cross(ctx, x + BAR_WIDTH / 2, yOf(view, placed.to) - Math.min(view.rowPx / 2, 10), scene.detail === "full" ? 6.5 : 4);
    } else if (point >= 0) {
      const y = yOf(view, point) + Math.min(view.rowPx / 2, 14);
      ctx.fillStyle = palette.op;
      ctx.strokeStyle = palette.bg;
      ctx.lineWidth = 1.5;
      stats.points += 1;
      diamond(ctx, x + BAR_WIDTH / 2, y, scene.detail === "full" ? 6.5 : 4);
      ctx.fill();
      ctx.stroke();
    }
    if (scene.detail !== "full") return;
    const y1 = yOf(view, placed.from);
    const y2 = placed.to < 0 ? height : yOf(view, placed.to);
    const next = columns.lanes[placed.lane + 1] ? xOf(columns, view, placed.lane + 1) - 10
      : columns.lanesRight;
    const room = next - x - BAR_WIDTH - 6;
    const left = x + BAR_WIDTH + 4;
    if (room < LEAST_TEXT * charWidth) return;
    const lines = operationLines(placed, room, charWidth);
    const wide = Math.max(0, ...lines.map(brush.widthOf));
    const tall = lines.length * LINE;
    const first = Math.max(y1 + 3, 2);
    for (const top of [first, first + view.rowPx, first + 2 * view.rowPx, first - LINE]) {
      if (top + LINE > Math.max(y2, y1 + LINE + 4) + 2) continue;
      if (!places.take(left - 2, top, wide + 4, tall)) continue;
      ctx.font = `11.5px ${palette.mono}`;
      ctx.globalAlpha = operationAlpha(brush, placed);
      lines.forEach((text, i) => halo(brush, text, left, top + LINE / 2 + i * LINE, palette.op));
      ctx.globalAlpha = 1;
      stats.texts += 1;
      break;
    }
  });
}

// On one line if there is room, else what was called above what came back.
function operationLines(placed: PlacedOperation, room: number, charWidth: number): string[] {
  const whole = compact(operationText(placed));
  if (whole.length * charWidth <= room) return [whole];
  const { call, result } = placed.operation;
  const lines = [compact(call)]; // where it has not returned, its bar is dashed
  if (result) lines.push(`= ${compact(result)}`);
  return lines.map((text) => cutTo(text, room, charWidth));
}

/** Records of one field without their braces: `Write{value: A}` is `Write A`. */
export function compact(text: string): string {
  return text.replace(/(\w)\{\w+: ([^{},]*)\}/g, "$1 $2");
}

/** A text that can be read on lines. */
export function halo({ ctx, scene }: Brush, text: string, x: number, y: number, colour: string): void {
  ctx.lineJoin = "round";
  ctx.lineWidth = 4;
  ctx.strokeStyle = scene.palette.bg;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}
