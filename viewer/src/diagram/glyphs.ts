// The marks of the diagram, the same as in the reports: a dot acts, ✗ crashes, △ recovers, ◇ is the
// opinion of a failure detector, a clock is a timer.
import type { DescribedKind, Step } from "../trace/format";
import type { Palette } from "./palette";

type Ctx = CanvasRenderingContext2D;

export function cross(ctx: Ctx, x: number, y: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(x - size, y - size);
  ctx.lineTo(x + size, y + size);
  ctx.moveTo(x + size, y - size);
  ctx.lineTo(x - size, y + size);
  ctx.stroke();
}

export function disc(ctx: Ctx, x: number, y: number, radius: number): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
}

function polygon(ctx: Ctx, points: readonly [number, number][]): void {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
  ctx.closePath();
}

export function diamond(ctx: Ctx, x: number, y: number, size: number): void {
  polygon(ctx, [[x, y - size], [x + size, y], [x, y + size], [x - size, y]]);
}

export function star(ctx: Ctx, x: number, y: number, radius: number): void {
  const points: [number, number][] = [];
  for (let i = 0; i < 10; ++i) {
    const r = i % 2 === 0 ? radius : radius * 0.45;
    const angle = (i * Math.PI) / 5 - Math.PI / 2;
    points.push([x + r * Math.cos(angle), y + r * Math.sin(angle)]);
  }
  polygon(ctx, points);
}

/** The frame around what is in the causal past (it points up) or future (it points down). */
export function coneFrame(ctx: Ctx, x: number, y: number, size: number, up: boolean): void {
  const s = up ? -1 : 1;
  polygon(ctx, [
    [x - size, y - s * size * 0.8], [x + size, y - s * size * 0.8], [x + size, y + s * size * 0.5],
    [x, y + s * size * 1.25], [x - size, y + s * size * 0.5],
  ]);
}

export function arrowHead(
  ctx: Ctx, fromX: number, fromY: number, x: number, y: number, size: number, open: boolean,
): void {
  const length = Math.max(1, Math.hypot(x - fromX, y - fromY));
  const [ux, uy] = [(x - fromX) / length, (y - fromY) / length];
  const wing = size * 0.45;
  ctx.beginPath();
  ctx.moveTo(x - size * ux - wing * uy, y - size * uy + wing * ux);
  ctx.lineTo(x, y);
  ctx.lineTo(x - size * ux + wing * uy, y - size * uy - wing * ux);
  if (open) {
    ctx.stroke();
    return;
  }
  ctx.closePath();
  ctx.fill();
}

const COLOURS = {
  plain: "fg", muted: "mut", blue: "msg", violet: "op", amber: "part", red: "bad",
} as const;

function describedMark(ctx: Ctx, palette: Palette, kind: DescribedKind, x: number, y: number, size: number): void {
  const colour = palette[COLOURS[kind.colour ?? "plain"]];
  if (!kind.mark || size < 0.8) {
    ctx.fillStyle = colour;
    disc(ctx, x, y, 5 * size);
    ctx.fill();
    return;
  }
  ctx.strokeStyle = colour;
  disc(ctx, x, y, 8 * size);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.font = `700 11px ${palette.mono}`;
  ctx.textAlign = "center";
  ctx.fillText(kind.mark, x, y + 0.5);
  ctx.textAlign = "left";
}

/** The mark of a step on its lane. `size` 1 is the full one. */
export function mark(
  ctx: Ctx, palette: Palette, step: Step, x: number, y: number, size: number, kind?: DescribedKind,
): void {
  ctx.strokeStyle = palette.fg;
  ctx.fillStyle = palette.bg;
  ctx.lineWidth = 1.8;
  switch (step.kind) {
    case "timer":
      disc(ctx, x, y, 7 * size);
      ctx.fill();
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(x, y - 4.2 * size);
      ctx.lineTo(x, y);
      ctx.lineTo(x + 3.4 * size, y + 1.5 * size);
      ctx.stroke();
      break;
    case "crash":
      ctx.strokeStyle = palette.bad;
      ctx.lineWidth = 2.6;
      cross(ctx, x, y, 7 * size);
      break;
    case "recover":
      polygon(ctx, [[x, y - 7.5 * size], [x + 7.5 * size, y + 5 * size], [x - 7.5 * size, y + 5 * size]]);
      ctx.fill();
      ctx.stroke();
      break;
    case "detect":
    case "restore":
    case "suspect":
      diamond(ctx, x, y, 8 * size);
      ctx.fill();
      ctx.stroke();
      if (size < 0.8) break;
      ctx.fillStyle = palette.fg;
      ctx.font = `700 10px ${palette.mono}`;
      ctx.textAlign = "center";
      ctx.fillText(step.kind === "restore" ? "+" : "!", x, y + 0.5);
      ctx.textAlign = "left";
      break;
    case "choose":
      disc(ctx, x, y, 7 * size);
      ctx.fill();
      ctx.stroke();
      if (size < 0.8) break;
      ctx.fillStyle = palette.fg;
      ctx.font = `700 10px ${palette.mono}`;
      ctx.textAlign = "center";
      ctx.fillText("?", x, y + 0.5);
      ctx.textAlign = "left";
      break;
    case "drop":
    case "duplicate":
    case "partition":
    case "heal":
      break;
    default:
      if (kind) {
        describedMark(ctx, palette, kind, x, y, size);
        break;
      }
      ctx.fillStyle = palette.fg;
      disc(ctx, x, y, 5 * size);
      ctx.fill();
  }
  if (step.crash_at_persist || step.failure) {
    ctx.strokeStyle = palette.bad;
    ctx.lineWidth = 2.6;
    cross(ctx, x, y, 8 * size);
  }
}
