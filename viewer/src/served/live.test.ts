import { describe, expect, it } from "vitest";
import { Run } from "../trace/run";
import { appendTo, judge } from "./live";
import { liveStatusOf } from "./read";

const begun = () => new Run({ format: "ordeal-trace", version: 1, system: "made", nodes: [1], steps: [] });
const record = (step: number) => ({ step, kind: "timer", node: 1, choice: 0 });

describe("The records of a live run", () => {
  it("are added in their order, each once", () => {
    const run = begun();
    expect([1, 2, 2, 1, 3].map((number) => appendTo(run, record(number)))).toEqual([true, true, true, true, true]);
    expect(run.length).toBe(3);
  });

  it("show when one is missing", () => {
    const run = begun();
    appendTo(run, record(1));
    expect(appendTo(run, record(3))).toBe(false);
    expect(run.length).toBe(1);
  });

  it("that are none are refused with the place", () => {
    expect(() => appendTo(begun(), { step: 1, kind: "odd", choice: 0 })).toThrow("steps[0].kind");
  });
});

describe("The verdict of a live run", () => {
  it("is its earliest violation, and stays", () => {
    const run = begun();
    for (const number of [1, 2, 3]) appendTo(run, record(number));
    const told = liveStatusOf({
      verdicts: [
        { property: "late", violated: true, step: 3 }, { property: "early", violated: true, step: 2, nodes: [1] },
        { property: "goal", reached: true, step: 1 },
      ],
    });
    expect(judge(run, told)).toBe(true);
    expect(run.trace.verdict).toMatchObject({ property: "early", step: 2, nodes: [1] });
    expect(judge(run, told)).toBe(false);
    expect(judge(begun(), liveStatusOf({ verdicts: [{ property: "p" }] }))).toBe(false);
  });
});
