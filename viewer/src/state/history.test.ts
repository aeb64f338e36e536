import { describe, expect, it } from "vitest";
import { madeTrace } from "../../e2e/traces";
import type { Step, Trace } from "../trace/format";
import { Run } from "../trace/run";
import type { Part } from "../trace/states";
import type { Json } from "../trace/value";
import { changeLogOf, historyOf, momentAt, pointsOf, scaleOf, type Moment } from "./history";

const partOf = (trees: [number, Json][]): Part => ({
  name: "node 1", node: 1, type: "S", component: false, versions: trees.map(([step, tree]) => ({ step, up: true, tree })),
});
const moment = (step: number, text: string | null): Moment => ({ step, text, value: undefined });

describe("The history of a variable", () => {
  const part = partOf([[0, { a: { b: 1 }, c: 0 }], [3, { a: { b: 1 }, c: 1 }], [5, { a: { b: 2 }, c: 1 }], [9, { c: 1 }]]);
  it("has a moment for every new value, and tells when there is none", () => {
    expect(historyOf(part, "a.b").map(({ step, text }) => [step, text])).toEqual([[0, "1"], [5, "2"], [9, null]]);
    expect(historyOf(part, "c").map(({ step }) => step)).toEqual([0, 3]);
  });
  it("finds the moment that counts after a step", () => {
    const moments = historyOf(part, "a.b");
    expect([0, 4, 5, 8, 9, 100].map((step) => momentAt(moments, step))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(momentAt([], 3)).toBe(-1);
  });
  it("agrees with the state at every step of a long run", () => {
    const run = new Run(madeTrace(2000));
    const own = run.states.ofNode(3)!;
    const moments = historyOf(own, "term");
    for (const version of own.versions) {
      const tree = version.tree as { term: number };
      expect(moments[momentAt(moments, version.step)]!.text).toBe(String(tree.term));
    }
  });
});

describe("A trace without states", () => {
  const step = (changes: Step["changes"]): Step => ({ kind: "step", node: 1, choice: 0, changes });
  const trace: Trace = {
    format: "ordeal-trace", version: 1, system: "s", nodes: [1],
    steps: [step([{ path: "x", before: "0", after: "1" }]), step([{ path: "y", before: "absent", after: "A" }]),
      step([{ path: "x", before: "1", after: "2" }, { path: "y", before: "A", after: "absent" }])],
  };
  const log = changeLogOf(new Run(trace));
  it("still tells the values that change", () => {
    expect([0, 1, 2, 3].map((at) => [...log.values(1, at)].map(([path, text]) => `${path}=${text}`).join())).toEqual(
      ["x=0", "x=1", "x=1,y=A", "x=2"]);
    expect(log.history(1, "x").map(({ step: at, text }) => [at, text])).toEqual([[0, "0"], [1, "1"], [3, "2"]]);
  });
  it("grows with a run that is watched", () => {
    const run = new Run({ ...trace, steps: [] });
    const growing = changeLogOf(run);
    expect(growing.history(1, "x")).toEqual([]);
    run.append(trace.steps[0]!);
    expect(growing.history(1, "x").length).toBe(2);
  });
});

describe("The chart of a history", () => {
  it("is by numbers, by words, or there is none", () => {
    expect(scaleOf([moment(0, "1"), moment(2, "-3.5")])).toMatchObject({ kind: "numbers", low: -3.5, high: 1 });
    expect(scaleOf([moment(0, "Follower"), moment(2, "1"), moment(3, null)])).toMatchObject({ kind: "words", words: ["Follower", "1"] });
    expect(scaleOf(Array.from({ length: 20 }, (_, i) => moment(i, `v${i}`)))).toBeNull();
    expect(scaleOf([moment(0, null)])).toBeNull();
    expect(scaleOf([{ step: 0, text: "{x: 1}", value: { x: 1 } }])).toBeNull();
  });
  it("joins what falls into one column and keeps the extremes", () => {
    const moments = Array.from({ length: 10_000 }, (_, i) => moment(i, String(i === 5000 ? 77 : i % 2)));
    const scale = scaleOf(moments)!;
    const points = pointsOf(moments, scale, 10_000, 300);
    expect(points.length).toBeLessThanOrEqual(301);
    expect(Math.max(...points.map((point) => point?.high ?? 0))).toBe(77);
  });
});
