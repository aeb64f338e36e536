import { describe, expect, it } from "vitest";
import type { Step, Trace } from "../trace/format";
import { pastOf, whySlice } from "../trace/causality";
import { Run } from "../trace/run";
import { commandsOf } from "./address";
import { countsOf } from "./counts";
import { drawSlice, sliceWords } from "./slice";
import { compares, kin, valueTable, wordsOf } from "./values";

const step = (number: number, more: Partial<Step>): Step =>
  ({ step: number, kind: "deliver", choice: 0, enabled: 1, causes: [number - 1], ...more });

const vote = { kind: "deliver" as const, from: 1, to: 2, type: "Vote", text: "Vote{term: 1}", payload_digest: "00000000000000b1" };
const trace: Trace = {
  format: "ordeal-trace", version: 1, system: "election", short: "0.1.2",
  parameters: { bug: "two words", nodes: "3", crash: "", "pre-vote": "yes", joint: "no" },
  verdict: { property: "one leader", kind: "always", why: "nodes 1 and 2 lead in term 1", nodes: [1, 2], step: 3 },
  nodes: [1, 2, 3], node_types: { "1": "Server" },
  steps: [
    step(1, { kind: "request", node: 1, type: "Campaign", sent: [vote],
      changes: [{ path: "role", before: "Follower", after: "Leader" }, { path: "term", before: "0", after: "1" }] }),
    step(2, { kind: "crash", node: 3, causes: [0] }),
    step(3, { node: 2, from: 1, type: "Vote", payload_digest: "00000000000000b1", causes: [1],
      changes: [{ path: "role", before: "Follower", after: "Leader" }, { path: "log[0]", before: "absent", after: "x" }] }),
  ],
};

describe("The table of messages", () => {
  it("counts what was sent once, however often it is delivered or copied", () => {
    const delivered = (number: number) => step(number, { node: 2, from: 1, type: "Vote", payload_digest: "00000000000000b1" });
    const copied = step(2, { kind: "duplicate", node: 2, from: 1, type: "Vote", payload_digest: "00000000000000b1" });
    const first = trace.steps[0] as Step;
    const often = new Run({ ...trace, steps: [first, delivered(2), delivered(3), delivered(4)] });
    expect(countsOf(often).messages).toEqual([{ type: "Vote", sent: 1, delivered: 3, dropped: 0, waiting: 0 }]);
    const twice = new Run({ ...trace, steps: [first, copied, delivered(3)] });
    expect(countsOf(twice).messages).toEqual([{ type: "Vote", sent: 1, delivered: 1, dropped: 0, waiting: 1 }]);
  });
});

describe("The way back to a run", () => {
  it("is a command for each thing to do, without what is empty or off", () => {
    expect(commandsOf(new Run(trace)).map((command) => command.line)).toEqual([
      "ordeal replay 0.0.0 election --bug 'two words' --nodes 3 --pre-vote=yes",
      "ordeal replay election-run.json --bug none",
      "ordeal explore election --bug 'two words' --nodes 3 --pre-vote=yes --start 0.0.0",
    ]);
  });
  it("is a file for long runs", () => {
    const long = new Run({ ...trace, verdict: null, steps: Array.from({ length: 5000 }, (_, i) => step(i + 1, { kind: "timer", node: 1 })) });
    expect(commandsOf(long).map((command) => command.line)).toEqual(["ordeal replay election-run.json"]);
  });
  it("is in the words of the user where the page knows them", () => {
    const run = new Run(trace, "run", "run", "election --nodes 3");
    expect(commandsOf(run)[0]!.line).toBe("ordeal replay 0.0.0 election --nodes 3");
  });
  it("does not exist for runs of other tools", () => {
    expect(commandsOf(new Run({ ...trace, source: "shiviz" }))).toEqual([]);
  });
});

describe("The drawing of a slice", () => {
  const drawing = drawSlice(new Run(trace), [1, 3]);
  it("has only the lanes that the steps touch", () => {
    expect(drawing.columns.map((column) => column.name)).toEqual(["1", "2"]);
    expect(drawing.columns.every((column) => column.involved)).toBe(true);
  });
  it("labels an edge by its message and marks where the violation shows", () => {
    expect(drawing.edges).toEqual([{ from: 0, to: 1, kind: "message", label: "Vote" }]);
    expect(drawing.rows.map((row) => row.bad)).toEqual([false, true]);
    expect(drawing.rows[0]!.outside).toBe("Campaign");
  });
  it("gives models without nodes one lane", () => {
    const raw = new Run({ ...trace, nodes: [], steps: [step(1, { kind: "step", type: "commit" })], verdict: null });
    expect(drawSlice(raw, [1]).columns.map((column) => column.name)).toEqual(["state"]);
  });
});

describe("The slice of a model without nodes", () => {
  it("is the whole run until the violation", () => {
    const raw = new Run({
      ...trace, nodes: [], verdict: { property: "p", step: 2 }, steps: [1, 2, 3].map((number) => step(number, { kind: "step", causes: [0] })),
    });
    expect(whySlice(raw)).toEqual([1, 2]);
  });
});

// Two clients (4 and 5) of a server (1): a write completes, and then a read does not see it.
const stale: Trace = {
  format: "ordeal-trace", version: 1, system: "store", short: "0", nodes: [1, 4, 5],
  verdict: {
    property: "linearizable", kind: "always", why: "no place for client 5: Read = 0 beside client 4: Write 1", nodes: [], step: 6,
    operations: [{ client: 4, operation: 0 }, { client: 5, operation: 1 }], unplaced: [{ client: 5, operation: 1 }],
  },
  initially: { history: [{ client: 4, event: "invoke", text: "Write 1" }, { client: 5, event: "invoke", text: "Read" }] },
  points: [{ client: 5, operation: 0, step: 0 }, { client: 4, operation: 0, step: 1 }],
  steps: [
    step(1, { node: 1, from: 4, causes: [0] }),
    step(2, { kind: "timer", node: 1, causes: [1] }),
    step(3, { node: 4, from: 1, causes: [1], history: [{ client: 4, event: "return", text: "WriteOk" }] }),
    step(4, { node: 5, causes: [0], history: [{ client: 5, event: "return", text: "0" }, { client: 5, event: "invoke", text: "Read" }] }),
    step(5, { kind: "timer", node: 1, causes: [2] }),
    step(6, { node: 5, causes: [4], history: [{ client: 5, event: "return", text: "0" }],
      changes: [{ path: "reads", before: "0", after: "1" }] }),
  ],
};

describe("The slice of a history without an order", () => {
  const run = new Run(stale);
  const slice = whySlice(run);
  it("holds what led to the calls and returns of all operations that the reason is about", () => {
    expect(slice).toEqual([1, 3, 4, 6]);
    for (const one of run.operations.filter((operation) => operation.reason)) {
      for (const end of [one.from, one.to]) {
        for (const past of pastOf(run, [end])) expect(past === 0 || slice.includes(past)).toBe(true);
      }
    }
  });
  it("says of the rest that it was not followed, never that it had no part", () => {
    expect(sliceWords(run, slice)).toBe("4 of 6 steps: those that led to the calls and returns of the 2 operations that the reason is about. The other 2 were not followed.");
    const nobody = new Run({ ...stale, verdict: { property: "p", step: 6 } });
    expect(sliceWords(nobody, whySlice(nobody))).toBe("2 of 6 steps: those that led to step 6, after which it shows; the reason does not say whom it is about. The other 4 were not followed.");
    const election = new Run(trace);
    expect(sliceWords(election, whySlice(election))).toBe("2 of 3 steps: those that led to the last step of each of the nodes 1, 2. The other one was not followed.");
    for (const any of [run, nobody, election]) expect(sliceWords(any, whySlice(any))).not.toMatch(/no part/);
  });
  it("knows the operation that has no place, and gives it no point", () => {
    expect(run.operations.map(({ client, index, point, unplaced }) => [client, index, point, unplaced]))
      .toEqual([[4, 0, 1, false], [5, 0, 0, false], [5, 1, -1, true]]);
  });
  it("marks no value of a node, for the reason compares results", () => {
    const reason = { ...stale.verdict!, why: "read 1 returned 0", nodes: [5] };
    expect(valueTable(new Run({ ...stale, verdict: reason }), [5], 6).rows).toEqual([
      { path: "reads", values: ["1"], differ: false, compared: [false] },
    ]);
  });
});

describe("The values that explain a violation", () => {
  it("are compared by a reason that has their name and their value side by side", () => {
    expect(compares("servers 1 and 2 both lead term 7", "term", "7")).toBe(true);
    expect(compares("servers 1 and 2 both lead term 7", "commit", "7")).toBe(false);
    expect(compares("servers 1 and 2 both lead term 7", "term", "1")).toBe(false);
    expect(compares("servers 1 and 2 both lead term 7", "role", "Leader")).toBe(true);
    expect(compares("the term is 7", "term", "7")).toBe(true);
    expect(compares("the value of x is \"A\"", "x", "\"A\"")).toBe(false); // too short a name to be sure
    expect(compares("log of 2 has length 3", "log", "{a: 2}")).toBe(false);
  });
  it("are those that the reason speaks of, first", () => {
    const table = valueTable(new Run(trace), [1, 2], 3);
    expect(table.rows).toEqual([
      { path: "role", values: ["Leader", "Leader"], differ: false, compared: [true, true] },
      { path: "term", values: ["1", null], differ: true, compared: [true, false] },
      { path: "log[0]", values: [null, "x"], differ: true, compared: [false, false] },
    ]);
    expect(table.complete).toBe(false);
  });
  it("come from the states where the trace has them", () => {
    const withStates = new Run({
      ...trace, steps: [],
      verdict: { ...trace.verdict!, step: 0 },
      initially: { parts: [1, 2].map((node) => ({ name: `node ${node}`, node, tree: { $type: "S", stable: { term: node }, other: 1 } })) },
    });
    expect(valueTable(withStates, [1, 2], 0)).toMatchObject({
      complete: true, rows: [{ path: "stable.term", values: ["1", "2"], differ: true }],
    });
  });
  it("takes words as kin that are forms of one", () => {
    expect(kin("lead", "leader") && kin("leads", "lead") && !kin("led", "ledger") && !kin("term", "terminate")).toBe(true);
    expect(wordsOf("hasVoted in term_2")).toEqual(new Set(["has", "voted", "term"]));
  });
});
