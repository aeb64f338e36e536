// Messages: arrows from lane to lane, and the short ends of those that never arrived.
import type { Message } from "../trace/run";
import { loopPoint, shorten, stubEnd, stubGroups, wayOf, type Way } from "./geometry";
import { arrowHead, cross, disc } from "./glyphs";
import { xOf, yOf } from "./layout";
import { halo } from "./paintLanes";
import { edgeAlpha, edgeColour, rowAlpha, type Brush } from "./scene";

const MOST_ARROWS = 4000; // of one picture; the longest come first
const SHORTEST = 30; // pixels, where rows are summed up

interface Labelled {
  message: Message;
  way: Way;
}

export function paintArrows(brush: Brush): void {
  const { ctx, scene, stats } = brush;
  const { model, run, view } = scene;
  const sums = scene.detail === "sums";
  const labelled: Labelled[] = [];
  paintNotices(brush);
  ctx.lineCap = "round";
  model.arrows.visit(scene.low, scene.high, (id) => {
    const message = run.messages[id]!;
    if (scene.hidden.has(message.type)) return;
    const way = wayOf(model, scene.columns, view, message);
    if (!way || outside(brush, way)) return;
    paintWay(brush, message, way, sums);
    const named = scene.detail === "full" && way.shape === "line" && !isFaint(brush, message);
    if (named) labelled.push({ message, way });
    return ++stats.arrows < MOST_ARROWS;
  }, sums ? SHORTEST / view.rowPx : 0);
  ctx.globalAlpha = 1;
  ctx.setLineDash([]);
  paintLabels(brush, labelled);
}

// What comes from or goes to a folded lane stands back.
function isFaint({ scene }: Brush, message: Message): boolean {
  const { lanes } = scene.columns;
  return Boolean(lanes[scene.model.laneOf(message.to)]?.folded ||
    lanes[scene.model.laneOf(message.from)]?.folded);
}

function outside({ scene }: Brush, way: Way): boolean {
  const { lanesLeft, lanesRight } = scene.columns;
  return Math.max(way.x1, way.x2) < lanesLeft || Math.min(way.x1, way.x2) - way.bulge > lanesRight;
}

function paintWay(brush: Brush, message: Message, way: Way, sums: boolean): void {
  const { ctx, scene } = brush;
  const { palette } = scene;
  const { sentAt, endedAt } = message;
  const own = message.kind === "event" ? "event" : "msg";
  const colour = palette[edgeColour(scene, sentAt, endedAt, own)];
  const touched = endedAt === scene.selected || sentAt === scene.selected ||
    message.id === scene.hoveredMessage;
  ctx.globalAlpha = (isFaint(brush, message) ? 0.35 : sums ? 0.3 : 1) * edgeAlpha(scene, sentAt, endedAt);
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = touched ? 3 : message.kind === "event" || sums ? 1.1 : 1.6;
  ctx.setLineDash(message.copiedAt > 0 && !sums ? [7, 4] : []);
  ctx.beginPath();
  ctx.moveTo(way.x1, way.y1);
  if (way.shape === "line") {
    ctx.lineTo(way.x2, way.y2);
  } else {
    const out = way.x1 - way.bulge * 1.33;
    ctx.bezierCurveTo(out, way.y1 + 6, out, way.y2 - 6, way.x2, way.y2);
  }
  ctx.stroke();
  if (sums) return;
  ctx.setLineDash([]);
  const small = scene.detail !== "full";
  if (message.fate === "delivered") {
    const [fx, fy] = way.shape === "line" ? [way.x1, way.y1] : loopPoint(way, 0.85);
    arrowHead(ctx, fx, fy, way.x2, way.y2, small ? 6 : touched ? 11 : 9, message.kind === "event");
    return;
  }
  ending(ctx, palette.bad, way.x2, way.y2, small ? 3 : 5, message.fate === "lost");
}

// ✗: dropped; boxed: taken away by a filter.
function ending(
  ctx: CanvasRenderingContext2D, colour: string, x: number, y: number, size: number, boxed: boolean,
): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2.2;
  cross(ctx, x, y, boxed ? size * 0.7 : size);
  if (!boxed) return;
  ctx.lineWidth = 1.4;
  ctx.strokeRect(x - size - 1, y - size - 1, 2 * size + 2, 2 * size + 2);
}

// The type of a message, beside its arrow where there is room between the lanes.
function paintLabels(brush: Brush, labelled: readonly Labelled[]): void {
  const { ctx, scene, places, stats } = brush;
  const lanes = scene.columns.lanes.map((_, i) => xOf(scene.columns, scene.view, i));
  ctx.font = `11px ${scene.palette.mono}`;
  for (const { message, way } of labelled) {
    const { type } = message;
    const wide = brush.widthOf(type);
    if (type === "" || wide + 26 > Math.abs(way.x2 - way.x1)) continue;
    for (const t of [0.5, 0.36, 0.64, 0.25, 0.75]) {
      const x = way.x1 + t * (way.x2 - way.x1) - wide / 2;
      const y = way.y1 + t * (way.y2 - way.y1);
      if (y < 8 || y > scene.height - 8) continue;
      if (lanes.some((lane) => lane > x - 8 && lane < x + wide + 8)) continue;
      if (!places.take(x - 3, y - 8, wide + 6, 16)) continue;
      ctx.globalAlpha = edgeAlpha(scene, message.sentAt, message.endedAt);
      const own = message.kind === "event" ? "event" : "msg";
      halo(brush, type, x, y, scene.palette[edgeColour(scene, message.sentAt, message.endedAt, own)]);
      stats.texts += 1;
      break;
    }
  }
  ctx.globalAlpha = 1;
}

/** What never arrived: dotted with ○ and its receivers if under way, ✗ if taken away at once. */
export function paintStubs(brush: Brush): void {
  const { ctx, scene, places, stats } = brush;
  const { model, columns, view, palette } = scene;
  if (scene.detail === "sums") return;
  const charWidth = brush.widthOf("0");
  for (let row = scene.low; row <= scene.high; ++row) {
    const seen = model.stubs.get(row)?.filter((message) => !scene.hidden.has(message.type));
    if (!seen || seen.length === 0) continue;
    stubGroups(model, columns, view, row, seen).forEach((group, nth) => {
      const faint = group.messages.every((message) => isFaint(brush, message));
      ctx.globalAlpha = rowAlpha(scene, row) * (faint ? 0.35 : 1);
      const [x, y] = stubEnd(group, nth, columns.gap, view.rowPx);
      const pending = group.fate === "in flight";
      ctx.strokeStyle = palette.msg;
      ctx.lineWidth = 1.6;
      ctx.setLineDash(pending ? [1.5, 4] : group.copy ? [7, 4] : []);
      ctx.beginPath();
      ctx.moveTo(group.x, group.y);
      ctx.lineTo(x, y);
      ctx.stroke();
      ctx.setLineDash([]);
      stats.arrows += group.messages.length;
      if (pending) {
        ctx.fillStyle = palette.bg;
        disc(ctx, x, y, 3);
        ctx.fill();
        ctx.stroke();
      } else {
        ending(ctx, palette.bad, x, y, 5, group.fate === "lost");
      }
      if (scene.detail !== "full") return;
      const names = [...new Set(group.messages.map((message) => scene.run.nodeName(message.to)))];
      const room = columns.gap * 0.5 - 8;
      const all = `→${names.join(",")}`;
      const text = all.length * charWidth <= room ? all : `→${names.length}×`;
      const wide = brush.widthOf(text);
      const left = group.side > 0 ? x + 7 : x - 7 - wide;
      if (!places.take(left, y - 6, wide, 12)) return;
      ctx.font = `10.5px ${palette.mono}`;
      halo(brush, text, left, y, palette.mut);
    });
  }
  ctx.globalAlpha = 1;
}

// From a crash to the node that is told of it.
function paintNotices({ ctx, scene, stats }: Brush): void {
  const { model, columns, view, palette } = scene;
  if (scene.detail === "sums") return;
  model.noticeIndex.visit(scene.low, scene.high, (id) => {
    const { fromLane, toLane, from, to } = model.notices[id]!;
    const way = shorten(xOf(columns, view, fromLane), yOf(view, from),
      xOf(columns, view, toLane), yOf(view, to), columns.gap, false);
    const colour = palette[edgeColour(scene, from, to, "mut")];
    ctx.globalAlpha = 0.8 * edgeAlpha(scene, from, to);
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.lineWidth = 1.2;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(way.x1, way.y1);
    ctx.lineTo(way.x2, way.y2);
    ctx.stroke();
    ctx.setLineDash([]);
    arrowHead(ctx, way.x1, way.y1, way.x2, way.y2, 8, true);
    return ++stats.arrows < MOST_ARROWS;
  });
  ctx.globalAlpha = 1;
}
