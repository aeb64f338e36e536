// The canvas: keeps what is seen, moves it smoothly, and paints when something has changed.
import { coneOf, laneStretches, type Cone, type LaneStretch } from "./causal";
import type { Hit } from "./hit";
import { hitTest } from "./hit";
import {
  centred, clampView, detailOf, fitRowPx, GOOD_GAP, goodRowPx, placeLanes, revealed, rowAt, seenRows, spanOf,
  zoomAt, type Columns, type View,
} from "./layout";
import type { DiagramModel } from "./model";
import { paint } from "./paint";
import { readPalette, type Palette } from "./palette";
import type { Stats } from "./scene";

/** What the picture shows besides the run. */
export interface Shown {
  selected: number;
  past: boolean;
  future: boolean;
  hidden: ReadonlySet<string>;
  folded: ReadonlySet<number>;
  matches: readonly number[];
}

/** The element, with the diagram on it for tests and measurements. */
export interface DiagramElement extends HTMLCanvasElement {
  diagram?: DiagramCanvas;
}

const TAIL = 56; // pixels for operations beside the last lane
const WIDE_GAP = 138; // between lanes, where operations are written
const EASE = 0.28; // of the way that is left, at every picture

export class DiagramCanvas {
  columns: Columns = placeLanes([], 800);
  view: View = { top: 0, left: 0, rowPx: 30 };
  width = 0;
  height = 0;
  /** Called after each picture, so that headers and the overview follow. */
  onPaint: () => void = () => {};
  /** Called where lanes have moved. */
  onArrange: () => void = () => {};
  private target: View = this.view;
  private shown: Shown = {
    selected: 0, past: false, future: false, hidden: new Set(), folded: new Set(), matches: [],
  };
  private hover: Hit = { what: "nothing" };
  private cone: Cone | null = null;
  private stretches: LaneStretch[] = [];
  private palette: Palette;
  private spread = 1;
  private frame = 0;
  private drawnLeft = 0;
  private shownRows: number;
  private restored = false;
  private fresh = true; // nothing was shown yet
  private readonly ctx: CanvasRenderingContext2D;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(readonly element: DiagramElement, readonly model: DiagramModel) {
    this.ctx = element.getContext("2d", { alpha: false })!;
    this.palette = readPalette(element);
    this.shownRows = model.rows;
    element.diagram = this;
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.element.diagram = undefined;
  }

  get rows(): number {
    return this.model.rows;
  }

  resize(width: number, height: number): void {
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    this.width = width;
    this.height = height;
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(height * ratio);
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.arrange();
    if (this.fresh && height > 0) {
      this.fresh = false;
      const rowPx = goodRowPx(this.rows, height);
      this.jump(centred({ top: 0, left: 0, rowPx }, this.shown.selected, height));
    } else {
      const view = this.restored ? revealed(this.target, this.shown.selected, height) : this.target;
      this.restored = false;
      this.jump(view);
    }
    this.draw(); // a canvas that was resized is empty until it is painted
  }

  recolour(): void {
    this.palette = readPalette(this.element);
    this.request();
  }

  /** As it was seen before; the selected step is brought in if it has moved away since. */
  restore(view: View): void {
    this.fresh = false;
    this.restored = true;
    this.target = this.view = view;
  }
  get highlights(): { past: boolean; future: boolean } {
    return this.shown;
  }

  show(shown: Shown): void {
    const before = this.shown;
    this.shown = shown;
    if (shown.folded !== before.folded) this.arrange();
    this.refreshCone();
    if (shown.selected !== before.selected) this.reveal(shown.selected);
    this.request();
  }

  /** The run has grown. */
  grown(): void {
    // Others may have brought the model up to date: what counts is what was shown.
    const follow = this.target.top + this.height / this.target.rowPx >= spanOf(this.shownRows) - 1;
    this.model.sync();
    if (this.rows === this.shownRows) return;
    this.shownRows = this.rows;
    this.arrange();
    this.refreshCone();
    if (follow) this.move({ ...this.target, top: spanOf(this.rows) });
    this.request();
  }

  private refreshCone(): void {
    const { selected, past, future } = this.shown;
    const { run, lanes } = this.model;
    this.cone = coneOf(run, selected, past, future);
    this.stretches = this.cone
      ? laneStretches(this.cone, lanes.length, (row) => this.model.laneOfStep(run.step(row))) : [];
  }

  private arrange(): void {
    const folded = this.model.lanes.map((lane) => this.shown.folded.has(lane.node));
    const tail = this.model.operationLanes.has(folded.length - 1) ? TAIL : 0;
    const good = this.model.operationLanes.size > 0 ? WIDE_GAP : GOOD_GAP;
    this.columns = placeLanes(folded, this.width, this.spread, tail, good);
    this.target = this.clamped(this.target);
    this.onArrange();
  }

  private clamped(view: View): View {
    return clampView(view, this.rows, this.height, this.columns);
  }

  /** At once. */
  jump(view: View): void {
    this.target = this.view = this.clamped(view);
    this.request();
  }
  /** Smoothly, where people like motion. */
  move(view: View): void {
    this.target = this.clamped(view);
    if (this.calm.matches) this.view = this.target;
    this.request();
  }

  panBy(dx: number, dy: number, smooth = false): void {
    const { target } = this;
    const next = { ...target, left: target.left + dx, top: target.top + dy / target.rowPx };
    if (smooth) this.move(next);
    else this.jump(next);
  }
  zoomBy(factor: number, y = this.height / 2, smooth = true): void {
    const next = this.clamped(zoomAt(this.target, factor, y));
    // Clamping the height of rows must not move what is at y.
    const exact = zoomAt(this.target, next.rowPx / this.target.rowPx, y);
    if (smooth) this.move(exact);
    else this.jump(exact);
  }
  fit(): void {
    this.move({ top: 0, left: 0, rowPx: fitRowPx(this.rows, this.height) });
  }
  spreadBy(factor: number): void {
    this.spread = Math.min(3, Math.max(0.6, this.spread * factor));
    this.arrange();
    this.request();
  }
  /** The row in the middle, at a height at which it can be read. */
  goTo(row: number): void {
    const rowPx = Math.max(this.target.rowPx, goodRowPx(this.rows, this.height));
    this.move(centred({ ...this.target, rowPx }, row, this.height));
  }
  reveal(row: number): void {
    if (this.height > 0) this.move(revealed(this.target, row, this.height));
  }
  /** The row that is in the middle. */
  get middleRow(): number {
    return rowAt(this.target, this.height / 2);
  }

  hit(x: number, y: number): Hit {
    const { model, columns, view, height, shown } = this;
    return hitTest(model, columns, view, height, x, y, shown.hidden);
  }
  point(hit: Hit): void {
    const same = hit.what === this.hover.what && rowOf(hit) === rowOf(this.hover) &&
      messageOf(hit) === messageOf(this.hover);
    this.hover = hit;
    if (!same) this.request();
  }

  request(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.tick());
  }

  private tick(): void {
    this.frame = 0;
    if (!this.element.isConnected) return;
    const { view, target } = this;
    const ratio = target.rowPx / view.rowPx;
    const still = Math.abs(Math.log(ratio)) < 0.002 && Math.abs(target.left - view.left) < 0.5 &&
      Math.abs(target.top - view.top) * target.rowPx < 0.5;
    if (still) {
      this.view = target;
    } else {
      const rowPx = view.rowPx * ratio ** EASE;
      // The upper and the lower edge move together, else a zoom seems to swing.
      const [from, to] = [view.top + this.height / view.rowPx, target.top + this.height / target.rowPx];
      const share = Math.abs(ratio - 1) < 1e-6 ? EASE
        : (1 / rowPx - 1 / view.rowPx) / (1 / target.rowPx - 1 / view.rowPx);
      const bottom = from + (to - from) * share;
      this.view = {
        rowPx, left: view.left + (target.left - view.left) * EASE, top: bottom - this.height / rowPx,
      };
      this.request();
    }
    this.draw();
  }

  /** Paints now. Returns what was drawn. */
  draw(): Stats | null {
    const { view, model, width, height, shown } = this;
    if (width <= 0 || height <= 0) return null;
    const { low, high } = seenRows(view, model.rows, height);
    const stats = paint(this.ctx, {
      run: model.run, model, columns: this.columns, view, width, height, palette: this.palette,
      detail: detailOf(view.rowPx), low, high, selected: Math.min(shown.selected, model.rows),
      hovered: rowOf(this.hover), hoveredMessage: messageOf(this.hover), cone: this.cone,
      stretches: this.stretches, hidden: shown.hidden, matches: shown.matches,
    });
    if (this.drawnLeft !== view.left) {
      this.drawnLeft = view.left;
      this.onArrange();
    }
    const data = this.element.dataset;
    data.detail = detailOf(view.rowPx);
    data.rows = `${low}-${high}`;
    data.arrows = String(stats.arrows);
    data.marks = String(stats.marks);
    data.texts = String(stats.texts);
    data.bars = String(stats.bars);
    data.points = String(stats.points);
    data.unplaced = String(stats.unplaced);
    data.matches = String(stats.matches);
    data.rowPx = view.rowPx.toFixed(3);
    data.still = String(view === this.target);
    this.onPaint();
    return stats;
  }
}

function rowOf(hit: Hit): number {
  return hit.what === "nothing" ? -1 : hit.row;
}
function messageOf(hit: Hit): number {
  return hit.what === "message" ? hit.message.id : -1;
}
