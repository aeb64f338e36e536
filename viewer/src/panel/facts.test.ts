import { describe, expect, it } from "vitest";
import type { Step } from "../trace/format";
import { Run } from "../trace/run";
import { changesOf, foldDisk, placeAndWhat } from "./facts";

const runOf = (step: Partial<Step>, parts = false) => new Run({
  format: "ordeal-trace", version: 1, system: "s", nodes: [1, 2], node_names: { "2": "two" },
  steps: [{ kind: "deliver", choice: 0, ...step }],
  ...(parts ? { initially: { parts: [{ name: "node 1", node: 1, tree: { x: 0, seen: { $set: [1] } } }] } } : {}),
});

describe("What a step changed", () => {
  it("tells once what changed in memory and on disk alike", () => {
    const change = (path: string, after = "1") => ({ path, before: "0", after });
    expect(foldDisk([change("stable.term"), change("(disk).term"), change("(disk).vote"), change("stable.x", "2"), change("(disk).x", "3")])
      .map(({ path, onDisk }) => `${path} ${onDisk}`))
      .toEqual(["stable.term true", "(disk).vote false", "stable.x false", "(disk).x false"]);
  });
  it("is worked out from the states where the trace does not tell", () => {
    const run = runOf({ node: 1, parts: [{ name: "node 1", patch: [{ op: "replace", path: "/x", value: 5 }, { op: "replace", path: "/seen", value: { $set: [] } }] }] }, true);
    expect(changesOf(run, 1).map(({ path, before, after }) => [path, before, after])).toEqual([["x", "0", "5"], ["seen[1]", "1", "absent"]]);
  });
});

describe("Where a step happens", () => {
  it.each<[Partial<Step>, string, string]>([
    [{ node: 2, from: 1, type: "Vote" }, "1→two", "deliver Vote"],
    [{ node: 2, from: 1, type: "Vote", choices: [3] }, "1→two", "deliver Vote [choose 3]"],
    [{ kind: "timer", node: 1, type: "election" }, "at 1", "timer election"],
    [{ kind: "crash", node: 1 }, "", "crash 1"],
    [{ kind: "heal" }, "", "heal"],
  ])("is told apart from what it is", (step, place, what) => expect(placeAndWhat(runOf(step), 1)).toEqual({ place, what }));
});
