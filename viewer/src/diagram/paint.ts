// Paints a scene: the ground, what crosses it, the steps on it, their numbers and texts.
import type { Step } from "../trace/format";
import { FUTURE, PAST } from "./causal";
import { arrowHead, coneFrame, disc, mark, star } from "./glyphs";
import { GUTTER, Places, tickOf, xOf, yOf } from "./layout";
import { halo, paintLanes, paintOperations, paintOperationTexts, paintPartitions, paintRows } from "./paintLanes";
import { paintArrows, paintStubs } from "./paintMessages";
import { cutLabel, cutTo, rowAlpha, type Brush, type Scene, type Stats } from "./scene";

/** REQUIRES: the context is scaled so that a unit is a CSS pixel. */
export function paint(ctx: CanvasRenderingContext2D, scene: Scene): Stats {
  const { palette } = scene;
  const stats: Stats = { arrows: 0, marks: 0, texts: 0, bars: 0, points: 0, unplaced: 0, matches: 0 };
  ctx.textBaseline = "middle";
  ctx.font = `11.5px ${palette.mono}`;
  const char = ctx.measureText("0").width;
  const brush: Brush = { ctx, scene, places: new Places(), stats, widthOf: (text) => text.length * char };
  ctx.fillStyle = palette.bg;
  ctx.fillRect(0, 0, scene.width, scene.height);
  paintRows(brush);
  clipToLanes(ctx, scene);
  paintPartitions(brush);
  paintLanes(brush);
  if (scene.detail === "sums") paintSums(brush);
  if (scene.detail === "full") paintGuides(brush);
  paintOperations(brush);
  paintStubs(brush);
  paintArrows(brush);
  if (scene.detail !== "sums") paintMarks(brush);
  paintOperationTexts(brush);
  paintInvolved(brush);
  ctx.restore();
  paintMatches(brush);
  paintNumbers(brush);
  if (scene.detail === "full") paintTexts(brush);
  paintVerdict(brush);
  return stats;
}

// From the mark of a step to its text.
function paintGuides({ ctx, scene }: Brush): void {
  const { columns, view, palette, model, run } = scene;
  ctx.fillStyle = palette.line;
  for (let row = Math.max(1, scene.low); row <= scene.high; ++row) {
    const lane = model.laneOfStep(run.step(row));
    if (lane < 0) continue;
    const from = Math.max(columns.lanesLeft, xOf(columns, view, lane) + 12);
    ctx.globalAlpha = 0.5 * rowAlpha(scene, row);
    if (from < columns.labelsLeft) ctx.fillRect(from, yOf(view, row) - 0.5, columns.labelsLeft - from, 1);
  }
  ctx.globalAlpha = 1;
}

function paintMarks(brush: Brush): void {
  const { ctx, scene, stats } = brush;
  const { run, model, columns, view, palette } = scene;
  const full = scene.detail === "full";
  const size = full ? 1 : Math.max(0.35, Math.min(0.8, view.rowPx / 12));
  for (let row = Math.max(1, scene.low); row <= scene.high; ++row) {
    const step = run.step(row);
    const lane = model.laneOfStep(step);
    if (lane < 0) continue;
    const x = xOf(columns, view, lane);
    const y = yOf(view, row);
    const folded = columns.lanes[lane]!.folded;
    const unseen = scene.hidden.has(step.type ?? "") && step.kind === "deliver";
    ctx.globalAlpha = rowAlpha(scene, row) * (unseen ? 0.4 : 1);
    stats.marks += 1;
    if (full && step.kind === "request") paintRequest(brush, x, y);
    mark(ctx, palette, step, x, y, folded || unseen ? size * 0.7 : size, run.kinds.described.get(step.kind));
    const cone = scene.cone?.[row] ?? 0;
    if (cone && row !== scene.selected && full) {
      ctx.strokeStyle = cone & PAST ? palette.past : palette.future;
      ctx.lineWidth = 2;
      coneFrame(ctx, x, y, 10, (cone & FUTURE) === 0);
      ctx.stroke();
    }
    if (row === scene.selected) {
      ctx.strokeStyle = palette.accent;
      ctx.lineWidth = 2.5;
      disc(ctx, x, y, full ? 11 : 7);
      ctx.stroke();
    }
    if (step.decided?.length) paintDecision(brush, step, x, y, folded);
    if (full && step.kind === "duplicate") paintWord(brush, "×2", x, y);
    if (full && step.kind === "drop") paintWord(brush, "drop", x, y);
  }
  ctx.globalAlpha = 1;
}

// A short word on the lane, where nothing acts but something happens.
function paintWord(brush: Brush, word: string, x: number, y: number): void {
  const { ctx, scene } = brush;
  ctx.font = `600 10px ${scene.palette.mono}`;
  ctx.textAlign = "center";
  halo(brush, word, x, y, scene.palette.mut);
  ctx.textAlign = "left";
}

function paintRequest({ ctx, scene }: Brush, x: number, y: number): void {
  ctx.strokeStyle = scene.palette.msg;
  ctx.fillStyle = scene.palette.msg;
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  ctx.moveTo(x - 28, y - 9);
  ctx.lineTo(x - 7, y - 2);
  ctx.stroke();
  arrowHead(ctx, x - 28, y - 9, x - 6, y - 2, 8, false);
}

function paintDecision(brush: Brush, step: Step, x: number, y: number, folded: boolean): void {
  const { ctx, scene, places, stats } = brush;
  const { palette } = scene;
  ctx.fillStyle = palette.op;
  if (scene.detail !== "full") {
    star(ctx, x, y, 5);
    ctx.fill();
    return;
  }
  ctx.strokeStyle = palette.bg;
  ctx.lineWidth = 2;
  star(ctx, x - 18, y, 7);
  ctx.stroke();
  ctx.fill();
  if (folded) return;
  const room = scene.columns.gap * 0.5 - 30;
  const text = cutTo((step.decided ?? []).join(", "), room, brush.widthOf("0"));
  const wide = brush.widthOf(text);
  if (text === "" || !places.take(x - 28 - wide, y - 7, wide + 18, 14)) return;
  ctx.font = `700 11.5px ${palette.mono}`;
  halo(brush, text, x - 28 - wide, y, palette.op);
  stats.texts += 1;
}

// Where a row is too low for marks: how much happens where, and where faults are.
function paintSums({ ctx, scene, stats }: Brush): void {
  const { model, columns, view, palette, height } = scene;
  const strip = model.density.stripFor(view.rowPx, 3);
  const peak = Math.max(1, model.density.peak(strip));
  const first = Math.floor(scene.low / strip.rows);
  const last = Math.floor(scene.high / strip.rows);
  const thick = Math.max(1, strip.rows * view.rowPx - 0.5);
  for (let lane = 0; lane < model.lanes.length; ++lane) {
    const x = xOf(columns, view, lane);
    const room = columns.lanes[lane]!.width * 0.48;
    const wide = Math.min(room, 70);
    for (let bucket = first; bucket <= last; ++bucket) {
      const events = model.density.events(strip, bucket, lane);
      if (events === 0) continue;
      const y = yOf(view, bucket * strip.rows - 0.5);
      if (y > height || y + thick < 0) continue;
      const w = Math.max(3, (wide * events) / peak);
      ctx.globalAlpha = 0.75;
      ctx.fillStyle = palette.mut;
      ctx.fillRect(x - w / 2, y, w, thick);
      stats.bars += 1;
      const faults = model.density.faults(strip, bucket, lane);
      if (faults === 0) continue;
      const bad = Math.min(Math.max(2, (wide * faults) / peak), room - w / 2);
      ctx.globalAlpha = 1;
      ctx.fillStyle = palette.bad;
      ctx.fillRect(x - w / 2 - bad - 1, y, bad, thick);
    }
  }
  ctx.globalAlpha = 1;
  ctx.restore();
  const left = columns.labelsLeft + 12;
  const steps = strip.rows === 1 ? "1 step" : `${strip.rows.toLocaleString("en")} steps`;
  ctx.font = `11.5px ${palette.mono}`;
  ctx.fillStyle = palette.mut;
  [`a bar sums up ${steps}:`, "its events (grey), and", "left of it faults (red).", "Zoom in (+) for each step."]
    .forEach((line, i) => ctx.fillText(line, left, 16 + 17 * i));
  clipToLanes(ctx, scene);
}

function clipToLanes(ctx: CanvasRenderingContext2D, { columns, height }: Scene): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(columns.lanesLeft, 0, columns.lanesRight - columns.lanesLeft, height);
  ctx.clip();
}

// The nodes that the violated property speaks of are ringed in its row.
function paintInvolved({ ctx, scene }: Brush): void {
  const { run, view, palette } = scene;
  const row = run.verdictStep;
  if (!run.violated || row < scene.low || row > scene.high || scene.detail === "sums") return;
  ctx.strokeStyle = palette.bad;
  ctx.lineWidth = 2.2;
  for (const node of run.trace.verdict?.nodes ?? []) {
    const lane = scene.model.laneOf(node);
    if (lane < 0) continue;
    disc(ctx, xOf(scene.columns, view, lane), yOf(view, row), scene.detail === "full" ? 14 : 6);
    ctx.stroke();
  }
}

/** Where the first of ascending numbers stands that is at least `least`. */
export function firstAtLeast(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

// At the edge, a pointer beside each row that a search found; far away at most one a pixel.
function paintMatches({ ctx, scene, stats }: Brush): void {
  const { view, palette, matches } = scene;
  ctx.fillStyle = palette.op;
  let last = -Infinity;
  for (let i = firstAtLeast(matches, scene.low); i < matches.length && matches[i]! <= scene.high; ++i) {
    const y = yOf(view, matches[i]!);
    if (y - last < 1) continue;
    last = y;
    stats.matches += 1;
    const half = Math.max(1, Math.min(6, view.rowPx / 2));
    ctx.beginPath();
    ctx.moveTo(1, y - half);
    ctx.lineTo(1 + half * 1.6, y);
    ctx.lineTo(1, y + half);
    ctx.fill();
  }
}

function paintNumbers({ ctx, scene }: Brush): void {
  const { view, palette } = scene;
  const tick = tickOf(view.rowPx, scene.detail === "full" ? 15 : 26);
  ctx.font = `11.5px ${palette.mono}`;
  ctx.textAlign = "right";
  const first = Math.ceil(scene.low / tick) * tick;
  for (let row = first; row <= scene.high; row += tick) {
    const bad = scene.run.violated && row === scene.run.verdictStep;
    if (bad || row === scene.selected) continue;
    ctx.fillStyle = palette.mut;
    ctx.globalAlpha = rowAlpha(scene, row);
    const y = Math.max(8, Math.min(scene.height - 8, yOf(view, row)));
    ctx.fillText(row === 0 ? "start" : String(row), GUTTER - 12, scene.detail === "full" ? yOf(view, row) : y);
  }
  ctx.globalAlpha = 1;
  const strong = (row: number, text: string, colour: string) => {
    const full = scene.detail === "full";
    const y = full ? yOf(view, row) : Math.max(8, Math.min(scene.height - 8, yOf(view, row)));
    if (!full && (row < scene.low || row > scene.high)) return;
    ctx.font = `700 11.5px ${palette.mono}`;
    const wide = ctx.measureText(text).width;
    ctx.fillStyle = palette.bg;
    if (!full) ctx.fillRect(GUTTER - 14 - wide, y - 8, wide + 4, 16);
    ctx.fillStyle = colour;
    ctx.fillText(text, GUTTER - 12, y);
  };
  const bad = scene.run.violated && scene.selected === scene.run.verdictStep;
  const number = scene.selected === 0 ? "start" : String(scene.selected);
  if (scene.run.violated && !bad) {
    strong(scene.run.verdictStep, `✗ ${scene.run.verdictStep}`, palette.bad);
  }
  const sign = bad ? "✗ " : scene.selected === 0 ? "" : "▸ ";
  strong(scene.selected, sign + number, bad ? palette.bad : palette.accent);
  ctx.textAlign = "left";
}

function paintTexts(brush: Brush): void {
  const { ctx, scene, stats } = brush;
  const { run, columns, view, palette } = scene;
  const left = columns.labelsLeft + 12;
  const charWidth = brush.widthOf("0");
  for (let row = Math.max(1, scene.low); row <= scene.high; ++row) {
    const y = yOf(view, row);
    const bad = run.violated && row === run.verdictStep;
    ctx.globalAlpha = rowAlpha(scene, row);
    const room = columns.labelsWidth - 24 - (bad ? 12 * charWidth : 0);
    const strong = row === scene.selected || bad;
    ctx.font = `${strong ? "600 " : ""}11.5px ${palette.mono}`;
    ctx.fillStyle = bad ? palette.bad : palette.fg;
    const text = cutLabel(scene.model.label(row), room, charWidth);
    ctx.fillText(bad ? `${text}  ✗ violation` : text, left, y);
    stats.texts += 1;
  }
  ctx.globalAlpha = 1;
}

// Far away, the violation is still told in words.
function paintVerdict({ ctx, scene }: Brush): void {
  const { run, columns, palette } = scene;
  if (!run.violated || scene.detail === "full") return;
  ctx.font = `600 11.5px ${palette.mono}`;
  ctx.fillStyle = palette.bad;
  const low = scene.detail === "sums" ? 100 : 10; // below what is told there
  const y = Math.max(low, Math.min(scene.height - 10, yOf(scene.view, run.verdictStep)));
  ctx.fillText(`✗ violation, step ${run.verdictStep}`, columns.labelsLeft + 12, y);
}
