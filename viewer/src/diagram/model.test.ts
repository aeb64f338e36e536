import { describe, expect, test } from "vitest";
import { madeTrace } from "../../e2e/traces";
import type { Step, Trace } from "../trace/format";
import { Run } from "../trace/run";
import { coneOf, coneOfEdge, FUTURE, laneStretches, PAST } from "./causal";
import { Density } from "./density";
import { distanceTo, stubGroups, wayOf } from "./geometry";
import { hitTest } from "./hit";
import { placeLanes, xOf, yOf } from "./layout";
import { DiagramModel } from "./model";
import { blockName, blockOf, parseBlocks } from "./partition";
import { compact } from "./paintLanes";
import { cutLabel, cutTo } from "./scene";
import { alongLane, followBack, followForward } from "./walk";

const sent = (from: number, to: number, digest: string, type = "M") =>
  ({ kind: "deliver" as const, from, to, type, payload_digest: digest.padStart(16, "0") });
const taken = (kind: Step["kind"], from: number, node: number, digest: string, causes: number[]): Step =>
  ({ kind, from, node, type: "M", payload_digest: digest.padStart(16, "0"), choice: 0, causes });

/** Every kind of thing once. */
function small(): Trace {
  return {
    format: "ordeal-trace", version: 1, system: "small", nodes: [1, 2, 3],
    initially: { history: [{ client: 1, event: "invoke", text: "write" }] },
    points: [{ client: 1, operation: 0, step: 2 }],
    steps: [
      { kind: "request", node: 1, type: "Go", choice: 0, causes: [0],
        sent: [sent(1, 2, "a"), sent(1, 3, "b"), sent(1, 3, "c"), sent(1, 2, "d")] },
      taken("deliver", 1, 2, "a", [1]),
      { kind: "crash", node: 3, choice: 0, causes: [0] },
      { kind: "partition", type: "1 | 2,3", choice: 0 },
      taken("duplicate", 1, 2, "d", [1]),
      taken("drop", 1, 3, "b", [1]),
      { kind: "detect", from: 3, node: 1, choice: 0, causes: [3, 1] },
      { kind: "heal", choice: 0 },
      { kind: "recover", node: 3, choice: 0, causes: [3] },
      { ...taken("deliver", 1, 2, "d", [1, 2]), sent: [sent(2, 1, "e")], lost: [sent(2, 1, "e")],
        history: [{ client: 1, event: "return", text: "ok" }] },
    ],
  };
}

const of = (trace: Trace) => new DiagramModel(new Run(trace));
const arrowsOf = (model: DiagramModel) => {
  const ids: number[] = [];
  model.arrows.visit(0, model.rows, (id) => { ids.push(id); });
  return ids.map((id) => model.run.messages[id]!);
};

describe("DiagramModel", () => {
  test("tells delivered, dropped, copied, lost and flying messages apart", () => {
    const model = of(small());
    const fates = arrowsOf(model).map((m) => [m.sentAt, m.endedAt, m.fate, m.copiedAt > 0]);
    expect(fates).toContainEqual([1, 2, "delivered", false]);
    expect(fates).toContainEqual([1, 6, "dropped", false]);
    expect(fates).toContainEqual([1, 10, "delivered", false]);
    expect(fates).toHaveLength(3);
    expect(model.stubs.get(1)?.map((m) => [m.fate, m.copiedAt > 0])).toEqual([
      ["in flight", false], ["in flight", true],
    ]);
    expect(model.stubs.get(10)?.map((m) => m.fate)).toEqual(["lost"]);
  });

  test("a node is down from its crash to its recovery", () => {
    const model = of(small());
    const up = [2, 3, 8, 9].map((row) => model.isUp(2, row));
    expect(up).toEqual([true, false, false, true]);
    expect(model.isUp(0, 5)).toBe(true);
  });

  test("a partition lasts until it heals and names the blocks of the nodes", () => {
    const model = of(small());
    expect([...model.partitionAt(5)!.blocks]).toEqual([[1, 0], [2, 1], [3, 1]]);
    expect(model.partitionAt(3)).toBeNull();
    expect(model.partitionAt(8)).toBeNull();
  });

  test("a detector's notice comes from the crash", () => {
    expect(of(small()).notices).toEqual([{ fromLane: 2, toLane: 0, from: 3, to: 7 }]);
  });

  test("operations lie on the lane of their client, or on one of their own", () => {
    const model = of(small());
    expect(model.operations.all.map((o) => [o.lane, o.from, o.to, o.operation.point])).toEqual([[0, 0, 10, 2]]);
    const trace = small();
    trace.initially = { history: [{ client: 9, event: "invoke", text: "x" }] };
    expect(of(trace).lanes[3]).toMatchObject({ node: 9, name: "client 9", client: true });
  });

  test("a system without nodes has one lane", () => {
    const model = of({ ...small(), nodes: [], initially: {}, steps: [{ kind: "step", type: "inc", choice: 0 }] });
    expect(model.lanes.map((lane) => lane.name)).toEqual(["state"]);
    expect(model.laneOfStep(model.run.step(1))).toBe(0);
  });

  test("nodes without end are cut off", () => {
    const nodes = Array.from({ length: 5000 }, (_, i) => i);
    expect(of({ ...small(), nodes }).lanes).toHaveLength(64);
  });

  test("a run that grows gives the same picture as the whole run", () => {
    const whole = of(madeTrace(600));
    const trace = madeTrace(600);
    const later = trace.steps.splice(100);
    const run = new Run(trace);
    const growing = new DiagramModel(run);
    later.forEach((step, i) => {
      run.append(step);
      if (i % 7 === 0) growing.sync();
    });
    growing.sync();
    const shape = (model: DiagramModel) => ({
      arrows: arrowsOf(model).map((m) => `${m.id} ${m.sentAt} ${m.endedAt} ${m.fate}`).sort(),
      stubs: [...model.stubs.values()].flat().map((m) => m.id).sort((a, b) => a - b),
      down: [...model.down.all, ...model.down.open].map((d) => `${d.lane} ${d.from} ${d.to}`).sort(),
      operations: [...model.operations.all, ...model.operations.open]
        .map((o) => `${o.lane} ${o.from} ${o.to}`).sort(),
    });
    expect(shape(growing)).toEqual(shape(whole));
    expect(growing.sync()).toBe(false);
  });
});

describe("hit testing", () => {
  const model = of(small());
  const columns = placeLanes([false, false, false], 900);
  const view = { top: 0, left: 0, rowPx: 40 };
  const at = (x: number, y: number, hidden: ReadonlySet<string> = new Set()) =>
    hitTest(model, columns, view, 600, x, y, hidden);

  test("finds marks, arrows, bars and rows", () => {
    expect(at(xOf(columns, view, 1), yOf(view, 2))).toEqual({ what: "step", row: 2 });
    const x = (xOf(columns, view, 0) + xOf(columns, view, 1)) / 2;
    const hit = at(x, (yOf(view, 1) + yOf(view, 2)) / 2 - 2);
    expect(hit).toMatchObject({ what: "message", row: 1, message: { fate: "delivered", endedAt: 2 } });
    expect(at(xOf(columns, view, 0) + 13, yOf(view, 4))).toMatchObject({ what: "operation" });
    expect(at(columns.labelsLeft + 50, yOf(view, 7) + 9)).toEqual({ what: "row", row: 7 });
    expect(at(100, 5000)).toEqual({ what: "nothing" });
  });

  test("finds no message whose type is hidden", () => {
    const x = (xOf(columns, view, 0) + xOf(columns, view, 1)) / 2;
    expect(at(x, (yOf(view, 1) + yOf(view, 2)) / 2, new Set(["M"])).what).toBe("row");
  });

  test("every arrow is found at its own middle", () => {
    for (const message of arrowsOf(model)) {
      const way = wayOf(model, columns, view, message)!;
      expect(distanceTo(way, (way.x1 + way.x2) / 2, (way.y1 + way.y2) / 2)).toBeLessThan(way.bulge + 1);
    }
  });

  test("what is under way to several receivers is one stub to each side", () => {
    const groups = stubGroups(model, columns, view, 1, model.stubs.get(1)!);
    expect(groups.map((group) => [group.side, group.copy])).toEqual([[1, false], [1, true]]);
  });
});

test("the shape of a partition is read, and anything else is refused", () => {
  expect(parseBlocks("0,1,4 | 2,3,5")).toEqual([[0, 1, 4], [2, 3, 5]]);
  expect(parseBlocks("a | b")).toEqual([]);
  expect(parseBlocks("")).toEqual([]);
  expect(blockOf([[1], [2]]).get(2)).toBe(1);
  expect([blockName(0), blockName(25), blockName(26)]).toEqual(["A", "Z", "27"]);
});

test("sums over rows count every event once at every level", () => {
  const density = new Density();
  for (let row = 1; row <= 1000; ++row) density.add(row, row % 3, row % 10 === 0);
  for (const pixels of [1, 8, 300]) {
    const strip = density.stripFor(0.5, pixels);
    let events = 0;
    let faults = 0;
    for (let bucket = 0; bucket * strip.rows <= 1000; ++bucket) {
      for (let lane = 0; lane < 3; ++lane) {
        events += density.events(strip, bucket, lane);
        faults += density.faults(strip, bucket, lane);
        expect(density.events(strip, bucket, lane)).toBeLessThanOrEqual(density.peak(strip));
      }
    }
    expect([events, faults]).toEqual([1000, 100]);
    expect(strip.rows * 0.5).toBeGreaterThanOrEqual(Math.min(pixels, 2));
  }
});

test("causal cones: the past and the future of a step, and the edges in them", () => {
  const run = new Run(small());
  const cone = coneOf(run, 2, true, true)!;
  expect([...cone].map((bits, row) => (bits ? row : -1)).filter((row) => row >= 0)).toEqual([0, 1, 2, 10]);
  expect(cone[1]).toBe(PAST);
  expect(cone[10]).toBe(FUTURE);
  expect(coneOfEdge(cone, 1, 2)).toBe(PAST);
  expect(coneOfEdge(cone, 1, 10)).toBe(0);
  expect(coneOf(run, 2, false, false)).toBeNull();
  const lanes = laneStretches(coneOf(run, 10, true, false)!, 3, (row) => run.lane(run.step(row).node));
  expect(lanes).toEqual([{ lane: 1, from: 2, to: 10, bits: PAST }]);
});

test("one walks along lanes and messages", () => {
  const run = new Run(small());
  expect(alongLane(run, 2, 1)).toBe(5);
  expect(alongLane(run, 10, 1)).toBe(10);
  expect(alongLane(run, 7, -1)).toBe(1);
  expect(followForward(run, 1)).toEqual({ step: 2, words: "M is delivered" });
  expect(followForward(run, 3).step).toBe(3);
  expect(followBack(run, 10).step).toBe(1);
  expect(followBack(run, 3).words).toBe("This step takes no message");
});

test("texts are cut where it hurts least", () => {
  expect(cutTo("deliver", 100, 7)).toBe("deliver");
  expect(cutTo("deliver", 28, 7)).toBe("del…");
  const vote = "deliver Vote{term: 1, granted: true} 3→1 [choose 4]";
  expect(cutLabel(vote, 140, 7)).toBe("Vote{term: 1, g… 3→1");
  expect(cutLabel(vote, 7 * 52, 7)).toBe(vote);
  expect(cutLabel("deliver Vote{} 3→1", 140, 7)).toBe("Vote{} 3→1");
  expect(cutLabel("timer election at 3", 7 * 12, 7)).toBe("timer … at 3");
  expect(compact("Write{value: A} = Pair{a: 1, b: 2}")).toBe("Write A = Pair{a: 1, b: 2}");
});
