// Where things are: rows and lanes to pixels and back. Time flows downwards, one row a step.

export const GUTTER = 58; // the column of step numbers
const FOLDED = 22;
const LEAST_LABELS = 225;
const MOST_LABELS = 560;
const LEAST_GAP = 52;
export const GOOD_GAP = 116;
const MOST_GAP = 190;

export interface LaneBox {
  x: number; // of its line, before horizontal panning
  width: number;
  folded: boolean;
}

/** The columns of the picture, left to right: numbers, lanes, texts of the steps. */
export interface Columns {
  lanes: LaneBox[];
  lanesLeft: number;
  lanesRight: number; // where the window on the lanes ends
  lanesWidth: number; // of all lanes, maybe more than fits
  labelsLeft: number;
  labelsWidth: number;
  gap: number; // of an unfolded lane
}

/**
 * Spreads the lanes over the width; where they do not fit, they can be panned. `tail` leaves room
 * behind the last one, for what is written beside it.
 */
export function placeLanes(
  folded: readonly boolean[], width: number, spread = 1, tail = 0, good = GOOD_GAP,
): Columns {
  const open = folded.filter((is) => !is).length;
  const narrow = (folded.length - open) * FOLDED;
  const room = Math.max(160, width - GUTTER);
  const wish = open * good * spread + narrow + tail;
  const labels = Math.min(MOST_LABELS, Math.max(LEAST_LABELS, Math.min(room * 0.46, room - wish)));
  const left = room - labels - narrow - tail;
  const gap = Math.min(MOST_GAP, Math.max(LEAST_GAP, open > 0 ? left / open : 0)) * spread;
  const lanes: LaneBox[] = [];
  let at = GUTTER;
  for (const is of folded) {
    const wide = is ? FOLDED : gap;
    lanes.push({ x: at + wide / 2, width: wide, folded: is });
    at += wide;
  }
  at += tail;
  const lanesWidth = at - GUTTER;
  const lanesRight = Math.min(at, GUTTER + room - labels);
  return {
    lanes, lanesLeft: GUTTER, lanesRight, lanesWidth,
    labelsLeft: lanesRight, labelsWidth: width - lanesRight, gap,
  };
}

/** What is seen: `top` is the row at the upper edge, `left` the pixels that lanes are panned by. */
export interface View {
  top: number;
  left: number;
  rowPx: number;
}

export const MOST_ROW_PX = 56;
const COMFORTABLE = 30;

/** From the start to the last step, with half a row around. */
export const spanOf = (rows: number) => rows + 1.5;

export const yOf = (view: View, row: number) => (row + 0.75 - view.top) * view.rowPx;
export const rowAt = (view: View, y: number) => y / view.rowPx + view.top - 0.75;
export const xOf = (columns: Columns, view: View, lane: number) =>
  (columns.lanes[lane]?.x ?? GUTTER / 2) - view.left;

/** The row height at which the whole run is seen. */
export function fitRowPx(rows: number, height: number): number {
  return Math.min(COMFORTABLE + 8, height / spanOf(rows));
}

/** Readable: the whole run if it is short, else rows of a comfortable height. */
export function goodRowPx(rows: number, height: number): number {
  return Math.max(COMFORTABLE, fitRowPx(rows, height));
}

export function clampView(view: View, rows: number, height: number, columns: Columns): View {
  const least = Math.min(COMFORTABLE, fitRowPx(rows, height));
  const rowPx = Math.min(MOST_ROW_PX, Math.max(least, view.rowPx));
  const seen = height / rowPx;
  const top = Math.max(0, Math.min(spanOf(rows) - seen, view.top));
  const most = columns.lanesWidth - (columns.lanesRight - columns.lanesLeft);
  return { rowPx, top, left: Math.max(0, Math.min(most, view.left)) };
}

/** Zooms so that what is at `y` stays there. */
export function zoomAt(view: View, factor: number, y: number): View {
  const rowPx = view.rowPx * factor;
  return { ...view, rowPx, top: view.top + y / view.rowPx - y / rowPx };
}

/** The rows that are seen, both included, and one more at each side. */
export function seenRows(view: View, rows: number, height: number): { low: number; high: number } {
  const low = Math.max(0, Math.floor(rowAt(view, 0)) - 1);
  const high = Math.min(rows, Math.ceil(rowAt(view, height)) + 1);
  return { low, high };
}

/** The view in which the row is seen, moved as little as possible. */
export function revealed(view: View, row: number, height: number): View {
  const margin = Math.min(2.5 * view.rowPx, height / 4);
  const y = yOf(view, row);
  if (y < margin) return { ...view, top: view.top + (y - margin) / view.rowPx };
  if (y > height - margin) return { ...view, top: view.top + (y - height + margin) / view.rowPx };
  return view;
}

export function centred(view: View, row: number, height: number): View {
  return { ...view, top: row + 0.75 - height / 2 / view.rowPx };
}

/** How much is drawn of a row: its text and marks, its marks only, or sums over many rows. */
export type Detail = "full" | "marks" | "sums";

export function detailOf(rowPx: number): Detail {
  if (rowPx >= 15) return "full";
  return rowPx >= 4 ? "marks" : "sums";
}

/** A round number of rows (1, 2, 5, 10, …) so that numbers of rows are at least `pixels` apart. */
export function tickOf(rowPx: number, pixels: number): number {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power * rowPx >= pixels) return digit * power;
  }
}

/** Places for texts: a text is only written where no other one is. */
export class Places {
  private readonly taken = new Map<number, [number, number, number, number][]>();
  private static readonly SLICE = 32;

  /** Takes the box if it is free; answers whether it was. */
  take(x: number, y: number, width: number, height: number): boolean {
    const first = Math.floor(y / Places.SLICE);
    const last = Math.floor((y + height) / Places.SLICE);
    for (let slice = first; slice <= last; ++slice) {
      for (const [ox, oy, ow, oh] of this.taken.get(slice) ?? []) {
        if (x < ox + ow && ox < x + width && y < oy + oh && oy < y + height) return false;
      }
    }
    for (let slice = first; slice <= last; ++slice) {
      const list = this.taken.get(slice);
      if (list) list.push([x, y, width, height]);
      else this.taken.set(slice, [[x, y, width, height]]);
    }
    return true;
  }
}
