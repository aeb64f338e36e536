import { useEffect, useRef } from "preact/hooks";
import type { DiagramCanvas } from "./canvas";
import { spanOf } from "./layout";
import { readPalette } from "./palette";

const WIDTH = 46;

/** The whole run beside the picture, with a window on what is seen; a click or a drag goes there. */
export function Overview({ diagram, revision, height, matches }: {
  diagram: DiagramCanvas; revision: number; height: number; matches: readonly number[];
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const lens = useRef<HTMLDivElement>(null);
  const scale = () => height / spanOf(diagram.rows);

  useEffect(() => {
    if (!canvas.current || height <= 0) return;
    paintOverview(canvas.current, diagram, height, matches);
  }, [diagram, diagram.model, revision, height, matches]);

  useEffect(() => {
    const place = () => {
      const element = lens.current;
      if (!element) return;
      const { view } = diagram;
      const top = view.top * scale();
      const seen = Math.max(8, (diagram.height / view.rowPx) * scale());
      element.style.transform = `translateY(${Math.min(top, height - 8)}px)`;
      element.style.height = `${Math.min(seen, height)}px`;
      const bar = element.parentElement!;
      bar.setAttribute("aria-valuenow", String(Math.round(diagram.middleRow)));
      bar.setAttribute("aria-valuetext", `around step ${Math.max(0, Math.round(diagram.middleRow))}`);
    };
    diagram.onPaint = place;
    place();
    return () => { diagram.onPaint = () => {}; };
  }, [diagram, height, revision]);

  const go = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const row = (event.clientY - box.top) / scale();
    const { view } = diagram;
    diagram.jump({ ...view, top: row - diagram.height / view.rowPx / 2 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = diagram.height * 0.9;
    const moves: Record<string, number> = {
      ArrowUp: -60, ArrowDown: 60, PageUp: -page, PageDown: page, Home: -1e9, End: 1e9,
    };
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    diagram.panBy(0, by, true);
  };
  return (
    <div class="diagram-overview" role="scrollbar" tabIndex={0} aria-label="The whole run"
      aria-controls="diagram-canvas" aria-orientation="vertical" aria-valuemin={0}
      aria-valuemax={diagram.rows} aria-valuenow={0} onKeyDown={onKeyDown}
      style={{ width: `${WIDTH}px` }}
      onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); go(event); }}
      onPointerMove={(event) => { if (event.buttons & 1) go(event); }}>
      <canvas ref={canvas} aria-hidden="true" />
      <div ref={lens} class="diagram-lens" />
    </div>
  );
}

function paintOverview(
  element: HTMLCanvasElement, diagram: DiagramCanvas, height: number, matches: readonly number[],
): void {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  element.width = WIDTH * ratio;
  element.height = Math.round(height * ratio);
  element.style.width = `${WIDTH}px`;
  element.style.height = `${height}px`;
  const ctx = element.getContext("2d")!;
  const palette = readPalette(diagram.element);
  const { model } = diagram;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, WIDTH, height);
  const rowPx = height / spanOf(model.rows);
  const y = (row: number) => (row + 0.75) * rowPx;
  ctx.fillStyle = palette.partbg;
  model.partitions.visit(0, model.rows, (part) => {
    const end = part.to < 0 ? model.rows : part.to;
    ctx.fillRect(0, y(part.from), WIDTH, Math.max(2, y(end) - y(part.from)));
  });
  const wide = (WIDTH - 10) / model.lanes.length;
  const bar = (lane: number, row: number, thick: number, share: number, bad: number) => {
    const x = 5 + lane * wide;
    const w = Math.max(1, wide - 1);
    ctx.globalAlpha = 0.35 + 0.65 * share;
    ctx.fillStyle = palette.mut;
    ctx.fillRect(x, y(row - 0.5), w, thick);
    ctx.fillStyle = palette.bad;
    ctx.globalAlpha = 1;
    if (bad > 0) ctx.fillRect(x, y(row - 0.5), Math.max(1, w * bad), thick);
  };
  if (rowPx >= 1.5) {
    for (let row = 1; row <= model.rows; ++row) {
      const step = model.run.step(row);
      const lane = model.laneOfStep(step);
      if (lane >= 0) bar(lane, row, Math.min(6, rowPx - 0.5), 1, model.run.kinds.isFault(step.kind) ? 1 : 0);
    }
  } else {
    const strip = model.density.stripFor(rowPx, 2);
    const peak = Math.max(1, model.density.peak(strip));
    const thick = Math.max(1, strip.rows * rowPx - 0.4);
    for (let bucket = 0; bucket * strip.rows <= model.rows; ++bucket) {
      for (let lane = 0; lane < model.lanes.length; ++lane) {
        const events = model.density.events(strip, bucket, lane);
        const faults = model.density.faults(strip, bucket, lane);
        if (events > 0) bar(lane, bucket * strip.rows, thick, events / peak, faults / events);
      }
    }
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.op;
  let last = -Infinity;
  for (const row of matches) {
    if (y(row) - last < 1) continue;
    last = y(row);
    ctx.fillRect(0, last - 1, 5, 2);
  }
  if (!model.run.violated) return;
  ctx.fillStyle = palette.bad;
  ctx.fillRect(0, y(model.run.verdictStep) - 1.5, WIDTH, 3);
}
