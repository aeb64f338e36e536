import { beforeEach, describe, expect, it } from "vitest";
import * as store from "../store";
import type { Step, Trace } from "../trace/format";
import { Run } from "../trace/run";
import {
  attach, branchOf, continuation, grow, markGrown, remove, rename, rootOf, rowsOf, sharedSteps, show, stays, undo,
} from "./forks";

const step = (choice: number): Step => ({ kind: "timer", choice, node: 1 });
const verdict = { property: "agreement" };

function runOf(choices: number[], fields: Partial<Trace> = {}): Run {
  return new Run({
    format: "ordeal-trace", version: 1, system: "made", nodes: [1], steps: choices.map(step), ...fields,
  }, "original");
}

const choices = (run: Run) => run.trace.steps.map((one) => one.choice);

beforeEach(() => {
  store.runs.value = [];
  store.runIndex.value = 0;
});

describe("Another choice in the middle of a run", () => {
  it("begins a branch there and leaves the run as it is", () => {
    const root = branchOf(runOf([0, 1, 2], { verdict: { property: "p", step: 3 }, points: [] }));
    const branch = grow(root, 1, step(7), null);
    expect(choices(branch.run)).toEqual([0, 7]);
    expect(choices(root.run)).toEqual([0, 1, 2]);
    expect(branch.parent).toBe(root);
    expect(branch.at).toBe(1);
    expect(branch.run.trace).toMatchObject({ short: "0.7", verdict: null, strategy: "by hand" });
    expect(branch.run.trace.points).toBeUndefined();
    expect(root.run.trace.verdict).toEqual({ property: "p", step: 3 });
  });

  it("keeps a verdict that had been spoken before", () => {
    const root = branchOf(runOf([0, 1, 2], { verdict: { property: "p", step: 1 } }));
    expect(grow(root, 2, step(7), { property: "later" }).run.trace.verdict).toEqual({ property: "p", step: 1 });
  });

  it("at the end of it begins a branch too, unless the run is walked by hand", () => {
    const found = branchOf(runOf([0]));
    expect(grow(found, 1, step(4), null)).not.toBe(found);
    const walked = markGrown(runOf([0]));
    expect(grow(walked, 1, step(4), verdict)).toBe(walked);
    expect(choices(walked.run)).toEqual([0, 4]);
    expect(walked.run.trace).toMatchObject({ short: "0.4", verdict: { property: "agreement", step: 2 } });
    expect(walked.run.role).toBe("violation");
  });
});

describe("A branch", () => {
  it("grows at its end", () => {
    const root = branchOf(runOf([0, 1]));
    const branch = grow(root, 1, step(2), null);
    expect(grow(branch, 2, step(3), null)).toBe(branch);
    expect(choices(branch.run)).toEqual([0, 2, 3]);
  });

  it("that leaves within what its parent shares hangs on the one it leaves", () => {
    const root = branchOf(runOf([0, 1, 2]));
    const first = grow(root, 2, step(5), null);
    expect(grow(first, 1, step(6), null).parent).toBe(root);
    expect(grow(first, 2, step(7), null).parent).toBe(root);
    const own = grow(first, 3, step(8), null);
    expect(own).toBe(first);
    expect(grow(first, 3, step(9), null).parent).toBe(first);
  });

  it("is found again by the choice that leads into it", () => {
    const root = branchOf(runOf([0, 1, 2]));
    const branch = grow(root, 1, step(5), null);
    expect(continuation(root, 1, 5)).toBe(branch);
    expect(continuation(branch, 1, 1)).toBe(root);
    expect(continuation(root, 1, 1)).toBe(root);
    expect(continuation(root, 1, 6)).toBeNull();
    expect(continuation(branch, 2, 2)).toBeNull();
  });

  it("that a search found is put where it leaves", () => {
    const root = branchOf(runOf([0, 1, 2]));
    const branch = grow(root, 1, step(5), null);
    const found = attach(branch, runOf([0, 5, 6, 7], { verdict: { property: "p" } }));
    expect([found.parent, found.at]).toEqual([branch, 2]);
    const shorter = attach(branch, runOf([0, 9]));
    expect([shorter.parent, shorter.at]).toEqual([root, 1]);
    expect(sharedSteps(root.run.trace, runOf([0, 1], { initial: 3 }).trace)).toBe(0);
  });

  it("gets a name of its own, and another on demand", () => {
    const root = branchOf(runOf([0, 1]));
    const first = grow(root, 0, step(5), null);
    const second = grow(root, 1, step(6), null);
    expect([first.run.name, second.run.name]).toEqual(["branch 1", "branch 2"]);
    rename(first, "  crash early ");
    rename(second, "   ");
    expect([first.run.name, second.run.name]).toEqual(["crash early", "branch 2"]);
  });

  it("stands in the tree by where it leaves", () => {
    const root = branchOf(runOf([0, 1, 2]));
    const late = grow(root, 2, step(5), null);
    const early = grow(root, 0, step(6), null);
    const inner = grow(early, 1, step(7), null);
    const inside = grow(early, 1, step(8), null);
    expect(inner).toBe(early);
    expect(rowsOf(rootOf(inside)).map((row) => [row.branch, row.level, row.position]))
      .toEqual([[root, 1, 1], [early, 2, 1], [inside, 3, 1], [late, 2, 2]]);
  });
});

describe("Taking a step back", () => {
  it("shortens the branch, and clears a verdict that the step brought", () => {
    const root = branchOf(runOf([0]));
    const branch = grow(root, 0, step(1), null);
    show(branch);
    grow(branch, 1, step(2), verdict);
    expect(undo(branch)).toBe(branch);
    expect(choices(branch.run)).toEqual([1]);
    expect(branch.run.trace.verdict).toBeNull();
    expect(store.runs.value).toContain(branch.run);
    expect(branchOf(branch.run)).toBe(branch);
  });

  it("ends at the parent when nothing of its own is left", () => {
    const root = branchOf(runOf([0, 1]));
    show(root);
    const branch = grow(root, 1, step(5), null);
    show(branch);
    expect(undo(branch)).toBe(root);
    expect(root.children).toEqual([]);
    expect(store.runs.value).toEqual([root.run]);
  });

  it("is refused where it would leave another branch without ground", () => {
    const walked = markGrown(runOf([0, 1]));
    grow(walked, 1, step(5), null);
    expect(stays(walked)).toBe("");
    attach(walked, runOf([0, 1, 2]));
    expect(stays(walked)).toContain("another branch begins");
    expect(stays(branchOf(runOf([0])))).toContain("not made by hand");
    expect(stays(markGrown(runOf([])))).toContain("nothing has happened");
  });
});

describe("Removing a branch", () => {
  it("removes what hangs on it and shows the parent", () => {
    const root = branchOf(runOf([0, 1]));
    const other = runOf([9]);
    store.runs.value = [other];
    show(root);
    const branch = grow(root, 0, step(5), null);
    const inner = grow(branch, 1, step(6), null);
    const child = attach(inner, runOf([5, 6, 7]));
    show(child);
    show(branch);
    remove(branch);
    expect(store.runs.value).toEqual([other, root.run]);
    expect(store.run.value).toBe(root.run);
  });
});
