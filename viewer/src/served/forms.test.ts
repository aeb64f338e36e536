// What the forms and lists of a served page make of what is typed, opened and told.
import { beforeEach, describe, expect, it } from "vitest";
import { suite } from "../api";
import { addressOfChoice, choice, chooseBug, chooseLike, chooseSubject, chooseValue, mistakeIn, rangeOf } from "./choice";
import { optionsOf, settingsOf } from "./ExploreForms";
import { fileName, kindOf, runsOfFile, runsOfReport } from "./files";
import { groupsOf } from "./ForkActions";
import { brief, bytes, lineOf } from "./Plot";
import { standing } from "./Verdicts";
import { hereOf, suiteOf, verdictsOf, type Parameter } from "./read";

const told = suiteOf({
  subjects: [
    { name: "first", parameters: [], bugs: [] },
    {
      name: "raft", bugs: [{ name: "stale-read", what: "" }],
      parameters: [
        { name: "servers", default: "3", kind: "number", least: 1, most: 9 },
        { name: "crash", default: "", kind: "nodes" },
        { name: "time", default: "none", kind: "word", words: ["none", "ordered"] },
        { name: "joint", default: "no", kind: "flag" },
      ],
    },
  ],
});
const parameter = (name: string): Parameter => told.subjects[1]!.parameters.find((one) => one.name === name)!;

describe("The chosen subject", () => {
  beforeEach(() => { suite.value = told; });

  it("is the first until somebody chooses, and passes on only what differs from the defaults", () => {
    expect(choice.value.system).toBe("first");
    chooseSubject("raft");
    chooseValue("servers", "5");
    chooseValue("crash", "1,2");
    chooseValue("servers", "3");
    chooseBug("stale-read");
    expect(addressOfChoice(choice.value)).toEqual({ system: "raft", parameters: { crash: "1,2", bug: "stale-read" } });
    chooseSubject("first");
    expect(addressOfChoice(choice.value)).toEqual({ system: "first", parameters: {} });
  });

  it("can be that of a run", () => {
    chooseLike("raft", { servers: "5", time: "none", bug: "none", gone: "1" });
    expect(choice.value).toEqual({ system: "raft", values: { servers: "5" }, bug: "" });
    chooseLike("no such subject", {});
    expect(choice.value.system).toBe("raft");
  });
});

describe("A value", () => {
  it("out of its range is told with the range", () => {
    expect(mistakeIn(parameter("servers"), "10")).toBe("expected 1 to 9");
    expect(mistakeIn(parameter("servers"), "3.5")).toBe("expected 1 to 9");
    expect(mistakeIn(parameter("crash"), "1,b")).toBe("expected ids such as 1,2, or none");
    expect(rangeOf(parameter("time"))).toBe("none, ordered");
  });
  it("within it is not", () => {
    expect(["1", "9", "3", ""].map((value) => mistakeIn(parameter("servers"), value))).toEqual(["", "", "", ""]);
    expect(["", "none", "1", "1,2"].map((value) => mistakeIn(parameter("crash"), value))).toEqual(["", "", "", ""]);
  });
});

describe("A file", () => {
  const trace = '{"format":"ordeal-trace","version":1,"system":"x","steps":[]}';
  it("is known by what it says about itself", () => {
    expect(kindOf(trace)).toBe("trace");
    expect(kindOf(trace.slice(0, -1))).toBe("trace");
    expect(kindOf('{"format":"ordeal-report","version":1}')).toBe("report");
    expect(kindOf('{"src":"n1","dest":"n2","body":{}}')).toBe("other");
    expect(kindOf('{"a":1}\n{"b":2}')).toBe("other");
    expect(kindOf('n1 {"n1":1}')).toBe("other");
  });
  it("that is a report holds the runs of its violations", () => {
    const report = `{"format":"ordeal-report","violations":[{"property":"p","trace":${trace}},{"property":"q"}]}`;
    const runs = runsOfReport("r.json", report);
    expect(runs.ok && runs.value.map((run) => run.name)).toEqual(["r.json: p"]);
    const none = runsOfReport("r.json", '{"format":"ordeal-report","violations":[]}');
    expect(none.ok ? "" : none.error).toContain("nothing was violated");
  });
  it("that is empty or of another tool is told so", async () => {
    const options = { format: "auto" as const, parser: "" };
    const empty = await runsOfFile("e.log", " \n", options);
    expect(empty.ok ? "" : empty.error).toContain("the file is empty");
    const log = await runsOfFile("n.log", "n1 sends", options);
    expect(log.ok ? "" : log.error).toContain("ordeal trace import n.log");
  });
  it("is saved under a name that every file system takes", () => {
    expect(fileName("raft-../found: a/b")).toBe("raft-..-found-a-b.json");
    expect(fileName("…")).toBe("run.json");
  });
});

describe("Enabled actions", () => {
  const { actions } = hereOf({
    actions: [
      { choice: 0, text: "deliver Ask 1→2", kind: "deliver", node: 2, from: 1 },
      { choice: 1, text: "crash 1", kind: "crash", node: 1 },
      { choice: 2, text: "heal", kind: "heal" },
      { choice: 3, text: "timer tick at 2", kind: "timer", node: 2 },
    ],
  });
  const name = (node: number) => `n${node}`;
  it("are grouped by node or by kind", () => {
    expect(groupsOf(actions, "node", "", name).map((group) => [group.name, group.actions.map((one) => one.choice)]))
      .toEqual([["the system", [2]], ["node n1", [1]], ["node n2", [0, 3]]]);
    expect(groupsOf(actions, "kind", "", name).map((group) => group.name)).toEqual(["crash", "deliver", "heal", "timer"]);
  });
  it("are found by all of the words", () => {
    expect(groupsOf(actions, "node", "DELIVER 1→2", name).flatMap((group) => group.actions)).toHaveLength(1);
    expect(groupsOf(actions, "node", "deliver crash", name)).toEqual([]);
  });
});

describe("A property", () => {
  it("stands as what is known about it", () => {
    const words = verdictsOf([
      { property: "a", kind: "always", violated: true }, { property: "b", kind: "always" },
      { property: "c", kind: "sometimes", reached: true }, { property: "d", kind: "sometimes" },
      { property: "e", kind: "eventually" },
    ]).map((verdict) => standing(verdict).words);
    expect(words).toEqual(["violated", "holds so far", "reached", "not reached yet", "still open"]);
    expect(standing(verdictsOf([{ property: "e", kind: "eventually" }])[0]!, true).words).toBe("came true");
  });
});

describe("Numbers", () => {
  it("are short where only their size matters", () => {
    expect([0, 7, 0.25, 1234, 5.6e6, 2e9].map(brief)).toEqual(["0", "7", "0.25", "1.23 k", "5.60 M", "2.00 G"]);
    expect([12, 2048, 3.5 * 2 ** 20].map(bytes)).toEqual(["12 B", "2.00 KiB", "3.50 MiB"]);
  });
  it("become a line that stays in its box", () => {
    const line = lineOf([{ seconds: 0, value: 0 }, { seconds: 1, value: 50 }, { seconds: 2, value: 100 }]);
    expect(line).toEqual({ path: "M0.0 80.0L150.0 42.0L300.0 4.0", most: 100, until: 2 });
    expect(lineOf([]).path).toBe("");
    expect(lineOf([{ seconds: 0, value: 0 }]).path).toBe("M0.0 80.0");
  });
  it("that were typed become options, those left out do not", () => {
    expect(optionsOf({ seed: "7", max_seconds: " 0.5 ", max_runs: "" })).toEqual({ seed: 7, max_seconds: 0.5 });
  });
  it("of a strategy are sent by their types, and told where they cannot be", () => {
    const { strategies } = suiteOf({ strategies: [{ name: "rarest", what: "", options: [
      { name: "epsilon", kind: "real", default: "0.1", least: 0, most: 1 },
      { name: "memory_runs", kind: "number", default: "100", least: 1 },
      { name: "tie", kind: "word", default: "first", words: ["first", "last"] },
      { name: "stubborn", kind: "flag", default: "" },
    ] }] });
    const options = strategies[0]!.options;
    expect(settingsOf(options, { epsilon: "0.5", memory_runs: "7", tie: "last", stubborn: "yes", other: "1" }))
      .toEqual({ epsilon: 0.5, memory_runs: 7, tie: "last", stubborn: true });
    expect(settingsOf(options, { epsilon: " ", tie: "" })).toEqual({});
    expect(mistakeIn(options[0]!, "1.5")).toBe("expected 0 to 1");
    expect(mistakeIn(options[0]!, "x")).toBe("expected 0 to 1");
    expect(mistakeIn(options[1]!, "0")).toBe("expected 1 or more");
    expect(mistakeIn(options[1]!, "12")).toBe("");
  });
});
