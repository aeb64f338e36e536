import { describe, expect, it } from "vitest";
import { addressOf, fits, parseLink, printLink, replayCommand, shortOf, type Link } from "./links";
import type { Trace } from "./trace/format";

const trace = (fields: Partial<Trace> = {}): Trace => ({
  format: "ordeal-trace", version: 1, system: "raft", parameters: { nodes: "3", bug: "x", crash: "" },
  steps: [{ kind: "timer", choice: 4 }, { kind: "timer", choice: 0 }, { kind: "crash", choice: 11 }], ...fields,
});

function parsed(hash: string): Link {
  const link = parseLink(hash);
  if (!link.ok) throw new Error(link.error);
  return link.value;
}

function refused(hash: string): string {
  const link = parseLink(hash);
  return link.ok ? "" : link.error;
}

describe("A link", () => {
  it("is read as it was printed", () => {
    const links: Link[] = [
      { address: null, view: "open", step: null },
      { address: { system: "raft", parameters: {} }, view: null, step: 0 },
      {
        address: {
          system: "two-phase-commit", parameters: { rms: "3", bug: "commit-early", form: "raw" }, scenario: "late vote",
          short: "7:0.1.12", free_faults: true,
        },
        view: "diagram", step: 5,
      },
      { address: { system: "x", parameters: { crash: "1,2", odd: "a&b=c#d %zz é" } }, view: null, step: null },
    ];
    for (const link of links) expect(parsed(printLink(link))).toEqual(link);
  });

  it("has the form that the documentation tells", () => {
    const address = { system: "raft", parameters: { nodes: "3", bug: "x" }, scenario: "s", short: "0.1.2", free_faults: true };
    expect(printLink({ address, view: "diagram", step: 5 }))
      .toBe("#system=raft&p.nodes=3&bug=x&scenario=s&short=0.1.2&free=1&view=diagram&step=5");
  });

  it("leaves out what is the default anyway", () => {
    const address = { system: "raft", parameters: { nodes: "3", batch: "0" } };
    expect(printLink({ address, view: null, step: null }, (name) => name === "batch")).toBe("#system=raft&p.nodes=3");
  });

  it("without a run names a view only", () => {
    expect(parsed("")).toEqual({ address: null, view: null, step: null });
    expect(parsed("#view=explore")).toEqual({ address: null, view: "explore", step: null });
  });

  it("that is wrong is refused with what would be right", () => {
    expect(refused("#view=nowhere")).toContain("view='nowhere': expected one of overview, diagram");
    expect(refused("#step=-1")).toContain("step='-1': expected a whole number");
    expect(refused("#step=99999999999")).toContain("expected a whole number");
    expect(refused("#system=raft&short=0..1")).toContain("short='0..1': expected a short form");
    expect(refused("#system=raft&p.=1")).toContain("expected p. and the name of a parameter");
    expect(refused("#system=" + "<".repeat(200)).length).toBeLessThan(150);
  });

  it("cannot reach into objects, nor break on broken escapes", () => {
    expect(refused("#system=raft&p.__proto__=1")).toContain("expected p.");
    const link = parsed("#system=raft&p.constructor=1&%E0%A4%A&junk=<script>");
    expect(Object.keys(link.address!.parameters)).toEqual(["constructor"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("The short form", () => {
  it("is made of the choices, with another initial state in front", () => {
    expect(shortOf(trace())).toBe("4.0.11");
    expect(shortOf(trace(), 2)).toBe("4.0");
    expect(shortOf(trace(), 0)).toBe("");
    expect(shortOf(trace({ initial: 7 }), 0)).toBe("7:");
    expect(shortOf(trace({ initial: 7 }), 1)).toBe("7:4");
  });

  it("of an imported run does not exist", () => {
    expect(addressOf(trace({ source: "shiviz" }))).toBeNull();
  });
});

describe("A trace fits an address", () => {
  const address = { system: "raft", parameters: { nodes: "3", bug: "x" }, short: "4.0.11" };
  it("with the same system, parameters and choices", () => {
    expect(fits(trace(), address)).toBe(true);
    expect(fits(trace(), { ...address, parameters: { bug: "x" } })).toBe(true);
    expect(fits(trace(), { system: "raft", parameters: { bug: "x" } })).toBe(true);
  });
  it("that leaves parameters out, if they have their defaults", () => {
    const short = { system: "raft", parameters: { bug: "x" } };
    expect(fits(trace(), short, (name, value) => name === "nodes" && value === "3")).toBe(true);
    expect(fits(trace(), short, (name, value) => name === "nodes" && value === "5")).toBe(false);
  });
  it("and not with others", () => {
    expect(fits(trace(), { ...address, system: "paxos" })).toBe(false);
    expect(fits(trace(), { ...address, parameters: { nodes: "5", bug: "x" } })).toBe(false);
    expect(fits(trace(), { ...address, parameters: { nodes: "3" } })).toBe(false);
    expect(fits(trace(), { ...address, short: "4.0" })).toBe(false);
    expect(fits(trace(), { ...address, scenario: "s" })).toBe(false);
  });
});

describe("The command of a run", () => {
  it("quotes what a shell would take apart", () => {
    const address = { system: "raft", parameters: { "reads-by": "a b", bug: "none", joint: "yes", add: "" }, short: "0.1" };
    expect(replayCommand(address)).toBe("ordeal replay 0.1 raft --joint=yes --reads-by 'a b'");
    expect(replayCommand({ system: "raft", parameters: {}, scenario: "it's" }))
      .toBe("ordeal replay 0: raft --scenario 'it'\\''s'");
  });
});
