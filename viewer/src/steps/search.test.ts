import { afterEach, describe, expect, it, vi } from "vitest";
import { madeTrace } from "../../e2e/traces";
import * as store from "../store";
import { Run } from "../trace/run";
import { firstFrom, goToMatch, looked, mistake, searchFor, startSearching } from "./search";

startSearching();

async function settled(): Promise<void> {
  await vi.waitFor(() => expect(looked.value).toBeGreaterThan(store.run.value!.length), { timeout: 50_000 });
}

afterEach(() => { store.query.value = ""; });

describe("The search of a page", () => {
  it("looks at 100,000 steps in pieces, and finds what a search at once finds", async () => {
    const run = new Run(madeTrace(100_000));
    store.runs.value = [run];
    const made = searchFor(run, "nodes[3].term > 9000 and kind:timer");
    if (!("search" in made)) throw new Error("wrong query");
    let pieces = 0;
    while (!made.search.work(() => true)) ++pieces;
    expect(pieces).toBeGreaterThan(1000);
    store.query.value = "nodes[3].term > 9000 and kind:timer";
    await settled();
    expect(store.matches.value).toEqual(made.search.found);
    expect(made.search.found.length).toBeGreaterThan(10);
  }, 60_000);
  it("goes on when a run grows", async () => {
    const whole = madeTrace(40);
    const run = new Run({ ...whole, steps: whole.steps.slice(0, 20) });
    store.runs.value = [run];
    store.query.value = "kind:deliver";
    await settled();
    const before = store.matches.value.length;
    for (const step of whole.steps.slice(20)) run.append(step);
    ++store.revision.value;
    await settled();
    expect(store.matches.value.length).toBeGreaterThan(before);
    expect(store.matches.value).toEqual(whole.steps.flatMap((step, i) => (step.kind === "deliver" ? [i + 1] : [])));
  });
  it("tells a mistake and matches nothing then", () => {
    store.query.value = "nodes[1";
    expect(mistake.value?.message).toContain("expected ']'");
    expect(store.matches.value).toEqual([]);
    store.query.value = "";
    expect(mistake.value).toBeNull();
  });
  it("walks matches in both directions, around the ends", async () => {
    store.runs.value = [new Run(madeTrace(60))];
    store.query.value = "step:10 or step:20 or step:30";
    await settled();
    const walk: number[] = [];
    store.selectStep(10);
    for (const direction of [1, 1, 1, -1, -1] as const) {
      goToMatch(direction);
      walk.push(store.step.value);
    }
    expect(walk).toEqual([20, 30, 10, 30, 20]);
    store.selectStep(25);
    goToMatch(1);
    expect(store.step.value).toBe(30);
    store.selectStep(25);
    goToMatch(-1);
    expect(store.step.value).toBe(20);
  });
  it("finds the first match from a step on", () => {
    expect([0, 3, 4, 9].map((step) => firstFrom([3, 5, 8], step))).toEqual([0, 0, 1, 3]);
  });
});
