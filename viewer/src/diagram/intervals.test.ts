import { describe, expect, test } from "vitest";
import { IntervalIndex, Stretches } from "./intervals";

function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("IntervalIndex", () => {
  test("finds what a look at every interval finds", () => {
    for (let seed = 1; seed <= 20; ++seed) {
      const draw = numbers(seed);
      const index = new IntervalIndex();
      const all: [number, number][] = [];
      for (let id = 0; id < 400; ++id) {
        const from = draw(2000);
        // Most are short, some are very long, as messages are.
        const to = from + (draw(10) === 0 ? draw(2000) : draw(12));
        index.add(id, from, to);
        all.push([from, to]);
      }
      for (let ask = 0; ask < 60; ++ask) {
        const low = draw(2200);
        const high = low + draw(200);
        const shortest = draw(3) === 0 ? draw(40) : 0;
        const found: number[] = [];
        index.visit(low, high, (id) => { found.push(id); }, shortest);
        const expected = all.flatMap(([from, to], id) =>
          (from <= high && to >= low && to - from >= shortest ? [id] : []));
        expect(found.sort((a, b) => a - b)).toEqual(expected);
      }
    }
  });

  test("looks at little of a long run", () => {
    const index = new IntervalIndex();
    for (let id = 0; id < 100_000; ++id) index.add(id, id, id + 8);
    let found = 0;
    index.visit(50_000, 50_030, () => { ++found; });
    expect(found).toBe(39);
  });

  test("ends where the visitor says so, and begins with the longest", () => {
    const index = new IntervalIndex();
    index.add(0, 0, 1);
    index.add(1, 0, 500);
    index.add(2, 0, 60);
    const found: number[] = [];
    expect(index.visit(0, 10, (id) => { found.push(id); return found.length < 2; })).toBe(false);
    expect(found).toEqual([1, 2]);
  });
});

describe("Stretches", () => {
  test("an open stretch goes on until it is ended", () => {
    const stretches = new Stretches<{ from: number; to: number }>();
    const open = { from: 5, to: -1 };
    stretches.add(open);
    expect(stretches.covers(900, () => true)).toBe(true);
    expect(stretches.covers(4, () => true)).toBe(false);
    stretches.end(open, 10);
    expect(stretches.covers(9, () => true)).toBe(true);
    expect(stretches.covers(10, () => true)).toBe(false);
    let seen = 0;
    stretches.visit(0, 100, () => { ++seen; });
    expect(seen).toBe(1);
  });
});
