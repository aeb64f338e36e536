import { describe, expect, it } from "vitest";
import { madeTrace } from "../../e2e/traces";
import type { Step, Trace } from "../trace/format";
import { Run } from "../trace/run";
import { versionAt } from "../trace/states";
import { compileQuery } from "./evaluate";
import { parseQuery } from "./parse";

const server = (term: number, role: string) => ({
  $type: "Server", stable: { $type: "Stable", term, voted_for: 0 }, role: { $enum: role }, log: [], granted: { $set: [] }, busy: false, note: null,
  "(disk)": { $type: "Stable", term },
});
const step = (number: number, more: Partial<Step>): Step => ({ step: number, kind: "deliver", choice: 0, ...more });
const patch = (node: number, path: string, value: unknown) =>
  [{ name: `node ${node}`, patch: [{ op: "replace" as const, path, value }] }];

const trace: Trace = {
  format: "ordeal-trace", version: 1, system: "s", nodes: [1, 2], node_names: { "2": "two" },
  initially: {
    parts: [1, 2].map((node) => ({ name: `node ${node}`, node, type: "Server", tree: server(0, "kFollower") })),
  },
  steps: [
    step(1, { node: 1, from: 2, type: "Vote", payload: { $type: "Vote", term: 1 }, parts: patch(1, "/stable/term", 1) }),
    step(2, { kind: "crash", node: 2 }),
    step(3, { kind: "timer", node: 2, type: "election", parts: patch(2, "/role", { $enum: "kLeader" }), log: ["Leads Term 1"] }),
    step(4, { node: 2, from: 1, type: "Append", parts: patch(2, "/log", [{ $type: "Entry", term: 7 }, { $type: "Entry", term: 2 }]) }),
    step(5, { node: 1, from: 2, type: "Vote", parts: patch(1, "/granted", { $set: [1, 2] }) }),
    step(6, { node: 1, from: 2, type: "Voted", parts: patch(1, "/busy", true) }),
  ],
};
const run = new Run(trace);

function matches(text: string, of = run): number[] {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.mistake.message);
  const compiled = compileQuery(of, parsed.query);
  if (!compiled.ok) throw new Error(compiled.mistake.message);
  return Array.from({ length: of.length + 1 }, (_, i) => i).filter((at) => compiled.test(at));
}
const failure = (text: string, of = run) => {
  try {
    return String(matches(text, of));
  } catch (error) {
    return (error as Error).message;
  }
};

describe("The search", () => {
  it.each<[string, number[]]>([
    ["vote", [1, 5, 6]],
    ["term", [1, 3]],
    ['"leads term"', [3]],
    ["kind:deliver", [1, 4, 5, 6]],
    ["kind:fault", [2]],
    ["type:vote", [1, 5]],
    ["type:vote*", [1, 5, 6]],
    ["node:2", [2, 3, 4]],
    ["node:two from:1", [4]],
    ["step:2..3", [2, 3]],
    ["not kind:deliver and node:2", [2, 3]],
    ["kind:crash or type:append", [2, 4]],
  ])("finds steps: %s", (text, found) => expect(matches(text)).toEqual(found));

  it.each<[string, number[]]>([
    ["nodes[1].stable.term > 0", [1, 2, 3, 4, 5, 6]],
    ["nodes[1].term >= 1", [1, 2, 3, 4, 5, 6]],
    ["nodes[*].role = Leader", [3, 4, 5, 6]],
    ["nodes[*].role = kleader", [3, 4, 5, 6]],
    ['nodes[*].role = "Leader"', []],
    ["role = Leader", [3, 4, 5, 6]],
    ["all nodes[*].role = Follower", [0, 1, 2]],
    ["nodes[two].role != Follower", [3, 4, 5, 6]],
    ["len(nodes[2].log) >= 2", [4, 5, 6]],
    ["nodes[2].log[*].term = 2", [4, 5, 6]],
    ["all nodes[2].log[*].term = 2", []],
    ["nodes[2].log[0].term = 7", [4, 5, 6]],
    ["changed(nodes[1].term)", [1]],
    ["changed(nodes[1])", [1, 5, 6]],
    ["2 in nodes[1].granted", [5, 6]],
    ["nodes[2].role in (Leader, Candidate)", [3, 4, 5, 6]],
    ["nodes[1].busy", [6]],
    ["nodes[1].note = null", [0, 1, 2, 3, 4, 5, 6]],
    ["nodes[1].(disk).term = 0", [0, 1, 2, 3, 4, 5, 6]],
    ["becomes(nodes[*].role = Leader)", [3]],
    ["becomes(nodes[1].term = 0)", []],
    ["nodes[1].term > nodes[2].term", [1, 2, 3, 4, 5, 6]],
    ["nodes[1].term = 1 and not kind:deliver", [2, 3]],
    ["nodes[1].role < 3", []],
  ])("finds states: %s", (text, found) => expect(matches(text)).toEqual(found));

  it.each([
    ["nodes[1].trem > 3", "no field is named 'trem'; did you mean 'term'?"],
    ["nodes[1].stable.voted = 3", "there is no field 'voted'; did you mean 'voted_for'?"],
    ["nodes[3].term > 3", "there is no node '3'; the nodes are 1, two"],
    ["kind:crsh", "there is no kind 'crsh'; did you mean 'crash'?"],
    ["kind:zzzzzz", "there is no kind 'zzzzzz'; Kinds are deliver, request,"],
    ["not kind:c*sh or kind:z*", "there is no kind 'z*'"],
    ["node:six", "there is no node 'six'; the nodes are 1, two"],
    ["nodes = 3", "expected which node, such as nodes[1]"],
    ["stands in term", "To look for text, put it in quotes"],
  ])("says what is wrong with %s", (text, message) => expect(failure(text)).toContain(message));

  it("tells that a trace without states has none to search", () => {
    expect(failure("nodes[1].term > 3", new Run({ ...trace, initially: {} }))).toContain("this trace has no states");
  });
  it("tells which field it read, and asks where there are two", () => {
    const parsed = parseQuery("nodes[1].voted_for = 0");
    const compiled = parsed.ok ? compileQuery(run, parsed.query) : null;
    expect(compiled).toMatchObject({ ok: true, notes: ["voted_for is read as stable.voted_for"] });
    const two = new Run({ ...trace, initially: { parts: [{ name: "node 1", node: 1, tree: { a: { x: 1 }, b: { x: 2 } } }] }, steps: [] });
    expect(failure("x = 1", two)).toContain("'x' is more than one field: a.x, b.x");
  });
  it("searches models without nodes by the fields of their state", () => {
    const raw = new Run({ ...trace, nodes: [], initially: { parts: [{ name: "state", tree: { sum: 4 } }] }, steps: [] });
    expect(matches("sum = 4", raw)).toEqual([0]);
    expect(matches("state.sum > 4", raw)).toEqual([]);
  });
  it("agrees with the state at every step of a long run", () => {
    const long = new Run(madeTrace(3000));
    const part = long.states.ofNode(2)!;
    const expected = Array.from({ length: 3001 }, (_, i) => i).filter((at) => {
      const tree = versionAt(part, at).tree as { term: number };
      return tree.term >= 100 && tree.term < 200;
    });
    expect(matches("nodes[2].term >= 100 and nodes[2].term < 200", long)).toEqual(expected);
  });
});
