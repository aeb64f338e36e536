import { useEffect, useRef } from "preact/hooks";
import type { Kind, Step } from "../trace/format";
import type { DiagramCanvas } from "./canvas";
import { arrowHead, coneFrame, cross, diamond, disc, mark, star } from "./glyphs";
import { readPalette, type Palette } from "./palette";

type Draw = (ctx: CanvasRenderingContext2D, palette: Palette) => void;

const WIDTH = 52;
const HEIGHT = 22;
const MIDDLE = HEIGHT / 2;

const step = (kind: Kind): Draw => (ctx, palette) => {
  mark(ctx, palette, { kind, choice: 0 } as Step, WIDTH / 2, MIDDLE, 1);
};

function line(ctx: CanvasRenderingContext2D, colour: string, dash: number[], end = WIDTH - 8): void {
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = 1.6;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(6, 5);
  ctx.lineTo(end, HEIGHT - 6);
  ctx.stroke();
  ctx.setLineDash([]);
}
const head = (ctx: CanvasRenderingContext2D, open = false) =>
  arrowHead(ctx, 6, 5, WIDTH - 6, HEIGHT - 5, 9, open);
function bad(ctx: CanvasRenderingContext2D, palette: Palette, boxed: boolean): void {
  ctx.strokeStyle = palette.bad;
  ctx.lineWidth = 2.2;
  cross(ctx, WIDTH - 12, HEIGHT - 7, boxed ? 3.2 : 4.5);
  ctx.lineWidth = 1.4;
  if (boxed) ctx.strokeRect(WIDTH - 17.5, HEIGHT - 12.5, 11, 11);
}

const ENTRIES: [string, Draw][] = [
  ["message", (ctx, p) => { line(ctx, p.msg, []); head(ctx); }],
  ["a copy of it", (ctx, p) => { line(ctx, p.msg, [7, 4]); head(ctx); }],
  ["dropped", (ctx, p) => { line(ctx, p.msg, [], WIDTH - 14); bad(ctx, p, false); }],
  ["taken away by a filter", (ctx, p) => { line(ctx, p.msg, [], WIDTH - 14); bad(ctx, p, true); }],
  ["still in flight, with its receivers", (ctx, p) => {
    line(ctx, p.msg, [1.5, 4], WIDTH - 12);
    ctx.fillStyle = p.bg;
    disc(ctx, WIDTH - 11, HEIGHT - 6.5, 3);
    ctx.fill();
    ctx.stroke();
  }],
  ["event between components", (ctx, p) => { line(ctx, p.event, []); head(ctx, true); }],
  ["a failure detector notices", (ctx, p) => { line(ctx, p.mut, [4, 4]); head(ctx, true); }],
  ["found by the search", (ctx, p) => {
    ctx.fillStyle = p.op;
    ctx.beginPath();
    ctx.moveTo(WIDTH / 2 - 5, MIDDLE - 6);
    ctx.lineTo(WIDTH / 2 + 5, MIDDLE);
    ctx.lineTo(WIDTH / 2 - 5, MIDDLE + 6);
    ctx.fill();
  }],
  ["takes a message, acts", step("deliver")],
  ["timer", step("timer")],
  ["crash; hatched: down", step("crash")],
  ["recovery", step("recover")],
  ["failure detector speaks", step("detect")],
  ["chooses", step("choose")],
  ["decides", (ctx, p) => { ctx.fillStyle = p.op; star(ctx, WIDTH / 2, MIDDLE, 8); ctx.fill(); }],
  ["operation of a client; ◆ takes effect, ✗ has no place", (ctx, p) => {
    ctx.fillStyle = p.opbg;
    ctx.strokeStyle = p.op;
    ctx.lineWidth = 1.2;
    ctx.fillRect(WIDTH / 2 - 4.5, 1, 9, 20);
    ctx.strokeRect(WIDTH / 2 - 4.5, 1, 9, 20);
    ctx.fillStyle = p.op;
    diamond(ctx, WIDTH / 2, MIDDLE, 6);
    ctx.fill();
  }],
  ["partition; letters name the blocks", (ctx, p) => {
    ctx.fillStyle = p.partbg;
    ctx.strokeStyle = p.part;
    ctx.setLineDash([6, 3]);
    ctx.fillRect(4, 2, WIDTH - 8, HEIGHT - 4);
    ctx.strokeRect(4.5, 2.5, WIDTH - 9, HEIGHT - 5);
    ctx.setLineDash([]);
    ctx.fillStyle = p.part;
    ctx.font = `700 11px ${p.mono}`;
    ctx.fillText("A  B", 12, MIDDLE);
  }],
  ["selected", (ctx, p) => {
    step("deliver")(ctx, p);
    ctx.strokeStyle = p.accent;
    ctx.lineWidth = 2.5;
    disc(ctx, WIDTH / 2, MIDDLE, 9.5);
    ctx.stroke();
  }],
  ["in its causal past", (ctx, p) => {
    step("deliver")(ctx, p);
    ctx.strokeStyle = p.past;
    coneFrame(ctx, WIDTH / 2, MIDDLE, 8, true);
    ctx.stroke();
  }],
  ["in its causal future", (ctx, p) => {
    step("deliver")(ctx, p);
    ctx.strokeStyle = p.future;
    coneFrame(ctx, WIDTH / 2, MIDDLE, 8, false);
    ctx.stroke();
  }],
  ["involved in the violation", (ctx, p) => {
    step("deliver")(ctx, p);
    ctx.strokeStyle = p.bad;
    ctx.lineWidth = 2.2;
    disc(ctx, WIDTH / 2, MIDDLE, 10);
    ctx.stroke();
  }],
];

function Glyph({ draw, palette }: { draw: Draw; palette: Palette }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    element.width = WIDTH * ratio;
    element.height = HEIGHT * ratio;
    const ctx = element.getContext("2d")!;
    ctx.scale(ratio, ratio);
    ctx.textBaseline = "middle";
    draw(ctx, palette);
  }, [draw, palette]);
  return <canvas ref={canvas} aria-hidden="true" style={{ width: `${WIDTH}px`, height: `${HEIGHT}px` }} />;
}

/** The signs of the diagram, drawn as they are there. */
export function Legend({ diagram }: { diagram: DiagramCanvas }) {
  const palette = readPalette(diagram.element);
  const described = [...diagram.model.run.kinds.described.values()].map((kind): [string, Draw] => [
    kind.fault ? `${kind.name} (a fault)` : kind.name,
    (ctx, p) => mark(ctx, p, { kind: kind.name, choice: 0 }, WIDTH / 2, MIDDLE, 1, kind),
  ]);
  return (
    <>
      <p>Time flows downwards, one row a step.</p>
      <ul class="diagram-legend">
        {[...ENTRIES, ...described].map(([words, draw]) => (
          <li key={words}><Glyph draw={draw} palette={palette} /> {words}</li>
        ))}
      </ul>
    </>
  );
}
