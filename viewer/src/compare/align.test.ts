import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { madeTrace } from "../../e2e/traces";
import type { Step, Trace } from "../trace/format";
import { readTrace } from "../trace/read";
import { Run } from "../trace/run";
import { alignRuns, type Alignment } from "./align";
import { Heap } from "./heap";
import { commonPairs } from "./lcs";

const at = (number: number, node: number, type: string, causes: number[], more: Partial<Step> = {}): Step =>
  ({ step: number, kind: "deliver", node, type, choice: 0, causes, ...more });
const runOf = (steps: Step[], nodes = [1, 2, 3]): Run =>
  new Run({ format: "ordeal-trace", version: 1, system: "s", nodes, steps: steps.map((step, i) => ({ ...step, step: i + 1 })) });

function real(name: string): Run {
  const read = readTrace(readFileSync(new URL(`../../e2e/data/${name}.json`, import.meta.url), "utf8"));
  if (!read.ok) throw new Error(read.error);
  return new Run(read.value, name);
}

const text = (alignment: Alignment) => alignment.rows.map((row) => `${row.a || "-"}:${row.b || "-"} ${row.relation}`);

/** Whatever is compared: every step has one row, and rows respect the causes of both runs. */
function expectSound(left: Run, right: Run, alignment: Alignment): void {
  expect(alignment.rows.map((row) => row.a).filter(Boolean).sort((x, y) => x - y)).toEqual(left.trace.steps.map((_, i) => i + 1));
  expect(alignment.rows.map((row) => row.b).filter(Boolean).sort((x, y) => x - y)).toEqual(right.trace.steps.map((_, i) => i + 1));
  for (const [run, rowOf] of [[left, alignment.rowOfA], [right, alignment.rowOfB]] as const) {
    for (let number = 1; number <= run.length; ++number) {
      for (const cause of run.step(number).causes ?? []) {
        if (cause > 0) expect(rowOf[cause]!).toBeLessThan(rowOf[number]!);
      }
    }
  }
}

describe("Two runs, aligned", () => {
  it("have no divergence where they are the same", () => {
    const alignment = alignRuns(real("raft-found"), real("raft-found"));
    expect(alignment.first).toBe(-1);
    expect(alignment.counts).toMatchObject({ same: 11, left: 0, right: 0, effect: 0 });
  });
  it("have no divergence where independent steps come in another order", () => {
    const left = runOf([at(1, 1, "a", [0]), at(2, 2, "b", [0]), at(3, 1, "c", [1, 2])]);
    const right = runOf([at(1, 2, "b", [0]), at(2, 1, "a", [0]), at(3, 1, "c", [1, 2])]);
    const alignment = alignRuns(left, right);
    expect(text(alignment)).toEqual(["1:2 same", "2:1 same", "3:3 same"]);
    expect(alignment.first).toBe(-1);
    expect(alignment.reordered).toBe(1);
  });
  it("diverge at the first step that one run has alone", () => {
    const left = runOf([at(1, 1, "a", [0]), at(2, 2, "b", [1]), at(3, 1, "c", [1])]);
    const right = runOf([at(1, 1, "a", [0]), at(2, 2, "x", [1]), at(3, 1, "c", [1])]);
    const alignment = alignRuns(left, right);
    expect(text(alignment)).toEqual(["1:1 same", "-:2 right", "2:- left", "3:3 same"]);
    expect(alignment.first).toBe(1);
  });
  it("diverge where the same step has another effect, and tell what is only carried on", () => {
    const changed = (after: string, digest: string) => ({ changes: [{ path: "x", before: "0", after }], node_digest: digest.repeat(16) });
    const left = runOf([at(1, 1, "a", [0], changed("1", "a")), at(2, 1, "b", [1], { node_digest: "b".repeat(16) })]);
    const right = runOf([at(1, 1, "a", [0], changed("2", "c")), at(2, 1, "b", [1], { node_digest: "d".repeat(16) })]);
    expect(text(alignRuns(left, right))).toEqual(["1:1 effect", "2:2 carried"]);
  });
  it("match the same actions of a node also where their pasts differ", () => {
    const left = runOf([at(1, 1, "a", [0]), at(2, 1, "extra", [1]), at(3, 1, "c", [2])]);
    const right = runOf([at(1, 1, "a", [0]), at(2, 1, "c", [1])]);
    expect(text(alignRuns(left, right))).toEqual(["1:1 same", "2:- left", "3:2 same"]);
  });
  it("part where partners would have to wait for each other", () => {
    // x happens before y on the left and after it on the right.
    const left = runOf([at(1, 1, "x", [0]), at(2, 2, "y", [1])]);
    const right = runOf([at(1, 2, "y", [0]), at(2, 1, "x", [1])]);
    const alignment = alignRuns(left, right);
    expectSound(left, right, alignment);
    expect(alignment.counts).toMatchObject({ same: 1, left: 1, right: 1 });
  });
  it("take models without nodes as sequences", () => {
    const left = runOf([at(1, -1, "a", []), at(2, -1, "b", []), at(3, -1, "c", [])], []);
    const right = runOf([at(1, -1, "b", []), at(2, -1, "a", []), at(3, -1, "c", [])], []);
    expect(alignRuns(left, right).first).toBe(0);
  });
});

describe("Real runs, aligned", () => {
  it("find every step of the minimised run in the one that was found", () => {
    const [found, minimised] = [real("raft-found"), real("raft-minimised")];
    const alignment = alignRuns(found, minimised);
    expectSound(found, minimised, alignment);
    expect(alignment.counts.right).toBe(0);
    expect(alignment.counts.left).toBe(3);
  });
  it("mark the step that the fix changes: the vote that was not on disk", () => {
    const [broken, fixed] = [real("raft-minimised"), real("raft-fixed")];
    const alignment = alignRuns(broken, fixed);
    expectSound(broken, fixed, alignment);
    expect(alignment.rows[alignment.first]).toEqual({ a: 3, b: 3, relation: "effect" });
  });
  it("are fine at 10,000 steps, cut, shuffled in part, and against another run", () => {
    const whole: Trace = madeTrace(10_000);
    const run = new Run(whole);
    const without = new Run({ ...whole, steps: whole.steps.slice(0, 9000).map((step, i) => i === 5000 ? { ...step, type: "other", payload_digest: undefined } : step) });
    const alignment = alignRuns(run, without);
    expectSound(run, without, alignment);
    expect(alignment.counts.same).toBeGreaterThan(8900);
    expect(alignment.first).toBe(Math.min(alignment.rowOfA[5001]!, alignment.rowOfB[5001]!));
    const other = new Run(madeTrace(10_000, 5, 2));
    expectSound(run, other, alignRuns(run, other));
  }, 60_000);
});

describe("The common part of two lists", () => {
  it("is the longest, where lists are short", () => {
    const [a, b] = [[1, 2, 3, 4, 5, 6], [2, 9, 4, 3, 6, 7]];
    expect(commonPairs(a, b).length).toBe(3);
    expect(commonPairs(a, b).every(([i, j]) => a[i] === b[j])).toBe(true);
  });
  it("ascends in both, also where lists are long and full of repetitions", () => {
    const source = (seed: number, kinds: number) => {
      let state = seed;
      return Array.from({ length: 6000 }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * kinds);
      });
    };
    for (const kinds of [3, 50, 20_000]) {
      const [a, b] = [source(1, kinds), source(2, kinds)];
      const pairs = commonPairs(a, b);
      pairs.forEach(([i, j], k) => {
        expect(a[i]).toBe(b[j]);
        if (k > 0) expect(pairs[k - 1]![0] < i && pairs[k - 1]![1] < j).toBe(true);
      });
      expect(pairs.length).toBeGreaterThan(0);
    }
  });
});

describe("A heap", () => {
  it("gives its items in order", () => {
    const heap = new Heap<number>((x, y) => x - y);
    for (const item of [5, 3, 9, 1, 7, 3, 8]) heap.push(item);
    expect(Array.from({ length: 8 }, () => heap.pop())).toEqual([1, 3, 3, 5, 7, 8, 9, undefined]);
  });
});
