import { describe, expect, test } from "vitest";
import { madeTrace } from "../../e2e/traces";
import { futureOf, pastOf, whySlice } from "./causality";
import type { Step, Trace } from "./format";
import { applyPatch } from "./patch";
import { readTrace, traceFromJson } from "./read";
import { Run, showStep } from "./run";
import { States, versionAt } from "./states";
import { sameValue, show, type Json } from "./value";

const minimal = (steps: Step[], more: Partial<Trace> = {}): Trace =>
  ({ format: "ordeal-trace", version: 1, system: "s", nodes: [1, 2], steps, ...more });

describe("reading a trace", () => {
  const refused = (change: (trace: Record<string, unknown>) => void): string => {
    const trace = JSON.parse(JSON.stringify(madeTrace(5))) as Record<string, unknown>;
    change(trace);
    const read = traceFromJson(trace);
    return read.ok ? "" : read.error;
  };
  test("takes what is right", () => {
    expect(traceFromJson(madeTrace(20)).ok).toBe(true);
  });
  test("names the place of a mistake, what was found there and what would be right", () => {
    expect(refused((t) => { (t.steps as Step[])[2]!.node = "x" as unknown as number; }))
      .toBe('steps[2].node: found "x"; expected a whole number, at least -1');
    expect(refused((t) => { t.format = "other"; })).toContain('format: found "other"; expected "ordeal-trace"');
    expect(refused((t) => { delete t.steps; })).toContain("steps: is missing; expected a list");
    expect(refused((t) => { t.version = 2; })).toContain("version");
  });
  test("refuses numbers that do not fit each other", () => {
    expect(refused((t) => { (t.steps as Step[])[2]!.causes = [3]; })).toContain("steps[2].causes[0]: found 3");
    expect(refused((t) => { (t.steps as Step[])[1]!.step = 7; })).toContain("expected 2, as steps are numbered");
    expect(refused((t) => { t.verdict = { property: "p", step: 99 }; })).toContain("verdict.step");
    expect(refused((t) => { t.loop_start = 6; })).toContain("loop_start: found 6; expected a whole number from 0 to 5");
  });
  test("tells text that is no JSON, and nothing at all", () => {
    for (const text of ["", "  \n", "{", "[1,2"]) expect(readTrace(text).ok).toBe(false);
  });
});

describe("values", () => {
  test("show as on the terminal", () => {
    expect(show({ $type: "Vote", term: 1, mode: { $enum: "kAsk" } })).toBe("Vote{term: 1, mode: kAsk}");
    expect(show({ $map: [[1, { $set: [2, 3] }]] })).toBe("{1: {2, 3}}");
    expect(show({ $tuple: [1, null] })).toBe("(1, -)");
  });
  test("a patch changes what it says and shares the rest", () => {
    const before: Json = { a: [1, 2], b: { c: 1 }, "x/y~z": 0 };
    const after = applyPatch(before, [
      { op: "add", path: "/a/-", value: 3 }, { op: "replace", path: "/x~1y~0z", value: 1 },
      { op: "remove", path: "/a/0" },
    ]) as { [key: string]: Json };
    expect(after).toEqual({ a: [2, 3], b: { c: 1 }, "x/y~z": 1 });
    expect(after.b).toBe((before as { [key: string]: Json }).b);
    expect(before).toEqual({ a: [1, 2], b: { c: 1 }, "x/y~z": 0 });
  });
  test("a hostile patch cannot reach what every object shares", () => {
    applyPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
  test("are the same when their contents are", () => {
    expect(sameValue({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true);
    expect(sameValue({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  });
});

describe("states", () => {
  test("at every step are those that replaying every patch gives", () => {
    const trace = madeTrace(300);
    const states = new States(trace);
    const plain = new Map(trace.initially!.parts!.map((part) => [part.name, part.tree as Json]));
    trace.steps.forEach((step, i) => {
      for (const change of step.parts ?? []) {
        plain.set(change.name, applyPatch(plain.get(change.name)!, change.patch ?? []));
      }
      for (const part of states.parts) expect(versionAt(part, i + 1).tree).toEqual(plain.get(part.name));
    });
  });
});

describe("a run", () => {
  const send = (to: number) => ({ kind: "deliver" as const, from: 1, to, type: "M", text: "M", payload_digest: "00000000000000aa" });
  const about = (kind: Step["kind"]): Step =>
    ({ kind, node: 2, from: 1, type: "M", payload_digest: "00000000000000aa", choice: 0, causes: [1] });
  const start: Step = { kind: "timer", node: 1, type: "t", choice: 0, causes: [0], sent: [send(2), send(2)] };
  test("tells what became of every message", () => {
    const run = new Run(minimal([start, about("duplicate"), about("deliver"), about("drop")]));
    expect(run.messages.map((m) => [m.fate, m.endedAt, m.copiedAt])).toEqual([
      ["delivered", 3, 0], ["dropped", 4, 0], ["in flight", -1, 2],
    ]);
    expect(run.taken[3]).toBe(run.messages[0]);
  });
  test("a copy that a duplication lists as sent is one copy, not two", () => {
    const run = new Run(minimal([start, { ...about("duplicate"), sent: [send(2)] }]));
    expect(run.messages.map((m) => [m.sentAt, m.copiedAt])).toEqual([[1, 0], [1, 0], [1, 2]]);
    expect(run.sentBy[2]).toEqual([run.messages[2]]);
  });
  test("in a network where messages stay, delivers the same one again", () => {
    const run = new Run(minimal([{ ...start, sent: [send(2)] }, about("deliver"), about("deliver")]));
    expect(run.messages.map((m) => [m.fate, m.sentAt, m.endedAt])).toEqual([["delivered", 1, 2], ["delivered", 1, 3]]);
  });
  test("what filters take away is the newest of equal ones", () => {
    const run = new Run(minimal([{ ...start, lost: [send(2)] }, about("deliver")]));
    expect(run.messages.map((m) => m.fate)).toEqual(["delivered", "lost"]);
  });
  test("grows as a whole one is read", () => {
    const whole = madeTrace(200);
    const grown = new Run({ ...whole, steps: [] });
    for (const step of whole.steps) grown.append(step);
    const read = new Run(whole);
    expect(grown.messages).toEqual(read.messages);
    expect(grown.operations).toEqual(read.operations);
  });
  test("shows steps in the engine's words", () => {
    const name = (node: number) => String(node);
    expect(showStep({ kind: "deliver", node: 2, from: 1, type: "V", payload: { $type: "V", a: 1 }, choice: 0 }, name)).toBe("deliver V{a: 1} 1→2");
    expect(showStep({ kind: "event", node: 2, type: "int", payload: 5, choice: 0, choices: [1, 0] }, name)).toBe("event int 5 at 2 [choose 1, 0]");
    expect(showStep({ kind: "suspect", node: 2, from: 3, choice: 0, crash_at_persist: 2 }, name)).toBe("suspect 3 wrongly at 2 [crash after persist 2]");
  });
});

describe("causality", () => {
  test("past and future are each other's mirror", () => {
    const run = new Run(madeTrace(120));
    const pasts = Array.from({ length: 121 }, (_, i) => pastOf(run, [i]));
    for (let a = 1; a <= 120; ++a) {
      const future = futureOf(run, a);
      for (let b = a; b <= 120; ++b) expect(future.has(b)).toBe(pasts[b]!.has(a));
    }
  });
  test("the slice of a violation holds what its nodes did last and all that led there", () => {
    const trace = madeTrace(60);
    trace.verdict = { property: "p", kind: "always", why: "w", nodes: [1], step: 60 };
    const run = new Run(trace);
    const slice = whySlice(run);
    const last = Math.max(...trace.steps.filter((s) => s.node === 1 && s.kind !== "drop").map((s) => s.step!));
    expect(slice[slice.length - 1]).toBe(last);
    expect(new Set(slice)).toEqual(new Set([...pastOf(run, [last])].filter((s) => s > 0)));
  });
});

describe("kinds that a trace describes", () => {
  const trace = (more: object) => JSON.stringify({
    format: "ordeal-trace", version: 1, system: "threads",
    kinds: [{ name: "lock", words: "{node} locks {what}", mark: "L", colour: "amber" },
      { name: "kill", fault: true }],
    steps: [{ kind: "lock", node: 2, type: "m", choice: 0 }, { kind: "kill", node: 1, choice: 0 }], ...more,
  });

  test("have words, and may be faults", () => {
    const read = readTrace(trace({}));
    if (!read.ok) throw new Error(read.error);
    const run = new Run(read.value);
    expect(run.label(1)).toBe("2 locks m");
    expect(run.label(2)).toBe("kill at 1");
    expect(run.kinds.isFault("kill")).toBe(true);
    expect(run.kinds.isFault("lock")).toBe(false);
    expect(run.kinds.isFault("crash")).toBe(true);
  });

  test("are refused where they make no sense", () => {
    const error = (more: object) => {
      const read = readTrace(trace(more));
      return read.ok ? "" : read.error;
    };
    expect(error({ kinds: [] })).toContain('steps[0].kind: found "lock"; expected one of deliver, ');
    expect(error({ kinds: [{ name: "crash" }] })).toBe("kinds[0]: there is another kind of that name");
    expect(error({ kinds: [{ name: "a", mark: "ab" }] })).toBe("kinds[0]: its mark must be one character");
    expect(error({ kinds: [{ name: "a", words: "{who}" }] })).toContain("{node}, {from} and {what}");
    expect(error({ kinds: [{ name: "A b" }] })).toContain("kinds[0].name");
  });
});
