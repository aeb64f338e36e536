import { describe, expect, it } from "vitest";
import { merged, rateOf, runsOf, thinned, withEvent } from "./jobs";
import { jobOf, pointOf, type Job } from "./read";

const job = (): Job => jobOf({ id: "1", kind: "check", what: "raft", state: "running" });
const after = (...events: [Parameters<typeof withEvent>[1], unknown][]) =>
  events.reduce((known, [event, data]) => withEvent(known, event, data), job());

describe("A job", () => {
  it("keeps each event once, though a stream that was cut tells all again", () => {
    const events: [Parameters<typeof withEvent>[1], unknown][] = [
      ["progress", { seconds: 1, states: 10 }], ["progress", { seconds: 2, states: 30 }],
      ["finding", { seconds: 1.5, property: "agreement", kind: "always" }],
      ["reached", { seconds: 1.7, property: "a leader" }],
      ["scenario", { name: "late-vote", verdict: "holds" }],
    ];
    expect(after(...events, ...events)).toEqual(after(...events));
    expect(after(...events).progress.map((point) => point.states)).toEqual([10, 30]);
  });

  it("takes the later words about a finding", () => {
    const known = after(["finding", { property: "agreement" }],
      ["finding", { property: "agreement", why: "two values", address: { system: "raft", parameters: {} } }]);
    expect(known.findings).toHaveLength(1);
    expect(known.findings[0]).toMatchObject({ why: "two values", address: { system: "raft" } });
  });

  it("keeps its plot when it is done", () => {
    const known = after(["progress", { seconds: 1 }], ["done", { id: "1", state: "done", report: { verdict: "holds" } }]);
    expect(known.state).toBe("done");
    expect(known.progress).toHaveLength(1);
    expect(known.report).toEqual({ verdict: "holds" });
  });

  it("keeps the runs that a list leaves out, and what a stream has told", () => {
    const known = [{ ...job(), state: "done" as const, runs: [{ name: "a", role: "run", trace: {} as never }] },
      { ...after(["progress", { seconds: 3 }]), id: "2" }];
    const told = [jobOf({ id: "3" }), jobOf({ id: "2" }), jobOf({ id: "1", state: "done" })];
    const both = merged(told, known, "2");
    expect(both.map((one) => [one.id, one.runs.length, one.progress.length])).toEqual([["3", 0, 0], ["2", 0, 1], ["1", 1, 0]]);
  });

  it("has the runs of each of its findings", () => {
    const trace = (property: string, scenario?: string) =>
      ({ format: "ordeal-trace", version: 1, system: "raft", ...(scenario ? { scenario } : {}), steps: [], verdict: { property } });
    const known = jobOf({
      runs: [{ name: "a", role: "violation", trace: trace("a", "s") }, { name: "a", role: "original", trace: trace("a", "s") },
        { name: "b", role: "violation", trace: trace("b") }, { name: "broken", trace: 3 }],
    });
    expect(runsOf(known, "a").map((run) => [run.name, run.role])).toEqual([["a", "violation"], ["a (as found)", "original"]]);
    expect(runsOf(known, "a", "other")).toEqual([]);
    expect(runsOf(known, "b")).toHaveLength(1);
  });
});

describe("Points", () => {
  it("become rates, which are never negative", () => {
    const points = [[1, 100], [2, 300], [4, 200], [4, 200]].map(([seconds, states]) => pointOf({ seconds, states }));
    expect(rateOf(points, (point) => point.states))
      .toEqual([{ seconds: 1, value: 100 }, { seconds: 2, value: 200 }, { seconds: 4, value: 0 }]);
  });

  it("are thinned when there are too many, but the last one stays", () => {
    const points = Array.from({ length: 11 }, (_, i) => pointOf({ seconds: i }));
    expect(thinned(points, 10).map((point) => point.seconds)).toEqual([1, 3, 5, 7, 9, 10]);
    expect(thinned(points, 11)).toBe(points);
  });
});
