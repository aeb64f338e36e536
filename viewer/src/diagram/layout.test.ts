import { describe, expect, test } from "vitest";
import {
  centred, clampView, detailOf, fitRowPx, goodRowPx, placeLanes, Places, revealed, rowAt, seenRows,
  spanOf, tickOf, xOf, yOf, zoomAt,
} from "./layout";

const columns = placeLanes([false, false, false], 900);

describe("rows", () => {
  test("a row and the pixel of its middle are inverse to each other", () => {
    const view = { top: 12.5, left: 0, rowPx: 17 };
    for (const row of [0, 3, 100]) expect(rowAt(view, yOf(view, row))).toBeCloseTo(row);
  });

  test("zooming keeps what is under the pointer", () => {
    const view = { top: 40, left: 0, rowPx: 10 };
    const zoomed = zoomAt(view, 2.5, 123);
    expect(zoomed.rowPx).toBe(25);
    expect(rowAt(zoomed, 123)).toBeCloseTo(rowAt(view, 123));
  });

  test("the view stays within the run, whatever is asked for", () => {
    const far = clampView({ top: 1e9, left: 1e9, rowPx: 30 }, 1000, 600, columns);
    expect(far.top).toBeCloseTo(spanOf(1000) - 20);
    expect(far.left).toBe(0);
    expect(clampView({ top: -5, left: -5, rowPx: 1e9 }, 1000, 600, columns).rowPx).toBeLessThan(100);
  });

  test("the whole run can be seen at any length", () => {
    for (const rows of [1, 60, 100_000]) {
      const view = clampView({ top: 0, left: 0, rowPx: fitRowPx(rows, 700) }, rows, 700, columns);
      expect(yOf(view, 0)).toBeGreaterThanOrEqual(0);
      expect(yOf(view, rows)).toBeLessThanOrEqual(700);
    }
  });

  test("rows are first shown at a height at which they can be read", () => {
    for (const rows of [1, 60, 100_000]) expect(detailOf(goodRowPx(rows, 700))).toBe("full");
  });

  test("what is seen is bounded by the height, not by the run", () => {
    const view = { top: 50_000, left: 0, rowPx: 20 };
    const { low, high } = seenRows(view, 100_000, 600);
    expect(low).toBeLessThanOrEqual(50_000);
    expect(high - low).toBeLessThan(40);
  });

  test("revealing moves nothing that is seen, and brings in what is not", () => {
    const view = { top: 0, left: 0, rowPx: 30 };
    expect(revealed(view, 8, 600)).toBe(view);
    const down = revealed(view, 70, 600);
    expect(yOf(down, 70)).toBeLessThan(600);
    expect(yOf(down, 70)).toBeGreaterThan(0);
    expect(yOf(centred(view, 70, 600), 70)).toBeCloseTo(300);
  });

  test("numbers are written at round rows and do not touch", () => {
    expect(tickOf(30, 15)).toBe(1);
    expect(tickOf(1, 15)).toBe(20);
    expect(tickOf(0.006, 26)).toBe(5000);
  });
});

describe("lanes", () => {
  test("a folded lane is narrow and the others take its room", () => {
    const folded = placeLanes([false, true, false], 700);
    expect(folded.lanes[1]!.width).toBeLessThan(30);
    expect(folded.lanes[0]!.width).toBeGreaterThanOrEqual(placeLanes([false, false, false], 700).lanes[0]!.width);
  });

  test("many lanes keep their distance and can be panned", () => {
    const many = placeLanes(Array(40).fill(false), 900);
    expect(many.gap).toBeGreaterThan(50);
    expect(many.lanesWidth).toBeGreaterThan(many.lanesRight - many.lanesLeft);
    const view = clampView({ top: 0, left: 1e9, rowPx: 30 }, 10, 600, many);
    expect(xOf(many, view, 39)).toBeLessThan(many.lanesRight);
    expect(many.labelsWidth).toBeGreaterThan(100);
  });
});

test("a text is only written where no other is", () => {
  const places = new Places();
  expect(places.take(10, 10, 50, 14)).toBe(true);
  expect(places.take(40, 20, 50, 14)).toBe(false);
  expect(places.take(61, 10, 50, 14)).toBe(true);
  expect(places.take(10, 60, 50, 14)).toBe(true);
});
