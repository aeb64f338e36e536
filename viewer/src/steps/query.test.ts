import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseQuery } from "./parse";
import { nearest } from "./nearest";
import { FILTERS, printQuery, type Comparison, type Operand, type Path, type Query, type Segment } from "./query";

function parsed(text: string): Query {
  const result = parseQuery(text);
  if (!result.ok) throw new Error(`${text}: ${result.mistake.message}`);
  return result.query;
}

/** Without the places in the text. */
function bare<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, item) => (key === "at" || key === "end" ? undefined : item))) as T;
}

const mistake = (text: string) => {
  const result = parseQuery(text);
  return result.ok ? "" : `${result.mistake.at}: ${result.mistake.message}`;
};

describe("A query", () => {
  it("reads text, filters and predicates; side by side means and", () => {
    expect(bare(parsed('Vote kind:deliver "a b"'))).toEqual({
      kind: "and", items: [{ kind: "text", text: "Vote" }, { kind: "filter", name: "kind", value: "deliver" }, { kind: "text", text: "a b" }],
    });
    expect(bare(parsed("nodes[1].term > 3"))).toEqual({
      kind: "compare", quantifier: "any", operator: ">", right: { kind: "number", value: 3 },
      left: { kind: "path", path: { root: "nodes", segments: [{ kind: "key", key: "1" }, { kind: "field", name: "term" }] } },
    });
  });
  it("binds not before and before or", () => {
    expect(printQuery(parsed("a or not b c or d"))).toBe("a or (not b and c) or d");
    expect(printQuery(parsed("(a or b) and c"))).toBe("(a or b) and c");
  });
  it("writes every comparison in one way", () => {
    expect(["x == 1", "x <> 1", "x ≠ 1", "x ≤ 1", "x≥1"].map((text) => printQuery(parsed(text)))).toEqual(
      ["x = 1", "x != 1", "x != 1", "x <= 1", "x >= 1"]);
  });
  it("takes a word on the right as a value and a path as a path", () => {
    expect(parsed("nodes[*].role = Leader")).toMatchObject({ right: { kind: "word", text: "Leader" } });
    expect(parsed("nodes[1].term < nodes[2].term")).toMatchObject({ right: { kind: "path" } });
    expect(parsed("all nodes[*].up = true")).toMatchObject({ quantifier: "all" });
  });
  it("reads fields of the engine, in parentheses", () => {
    expect(printQuery(parsed("len(nodes[1].(decided)) >= 2"))).toBe("len(nodes[1].(decided)) >= 2");
  });
  it("reads lists and membership", () => {
    expect(printQuery(parsed("nodes[1].role in [Leader, Candidate]"))).toBe("nodes[1].role in (Leader, Candidate)");
    expect(parsed("2 in nodes[1].granted")).toMatchObject({ kind: "in", left: { kind: "number" }, right: { kind: "path" } });
  });
  it("takes keywords as text where they can mean nothing else", () => {
    expect(bare(parsed("all"))).toEqual({ kind: "text", text: "all" });
    expect(bare(parsed('"and"'))).toEqual({ kind: "text", text: "and" });
  });
});

describe("The reference", () => {
  it.each(["reference/search.md", "guide/17-see-it.md"])("%s only shows queries that can be read", (name) => {
    const page = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
    const table = page.slice(page.indexOf("| query |")).split("\n\n")[0]!;
    const queries = table.split("\n").slice(2).flatMap((row) => [...row.split(" | ")[0]!.matchAll(/`([^`]+)`/g)].map((code) => code[1]!));
    expect(queries.length).toBeGreaterThan(5);
    for (const query of queries) expect(mistake(query), query).toBe("");
  });
});

describe("A wrong query", () => {
  it.each([
    ["", "0: the query ends here; expected something to look for"],
    ["nodes[1].term >", "15: the query ends here; expected a value after '>'"],
    ["(a or b", "7: the query ends here; expected ')' to close the parenthesis"],
    ["a) b", "1: this ')' closes nothing"],
    ['"abc', "0: this text is never closed"],
    ["knid:deliver", "0: there is no filter 'knid:'; did you mean 'kind:'?"],
    ["kind: deliver", "6: found 'deliver'; expected what kind: is to be, such as kind:deliver, without a space"],
    ["nodes[", "6: the query ends here; expected a number, a name or * after '['"],
    ["nodes[1].", "9: the query ends here; expected the name of a field after '.'"],
    ["and x", "0: found 'and'; expected something to look for before it"],
    ["x in (1, ", "9: the query ends here; expected a value after ','"],
    ["len(nodes[1].log)", "17: the query ends here; expected a comparison"],
    ["> 3", "0: found '>'; expected text, a filter"],
    ["step:a", "0: found 'step:a'; expected a number or a range"],
    ["a {b}", "2: found '{'; expected text"],
  ])("%s: says where and what would be right", (text, message) => {
    expect(mistake(text)).toContain(message);
  });
});

describe("Did you mean", () => {
  it("finds the nearest word, or none", () => {
    expect(nearest("trem", ["role", "term", "log"])).toBe("term");
    expect(nearest("votedfor", ["voted_for", "vote"])).toBe("voted_for");
    expect(nearest("xyz", ["role", "term"])).toBeNull();
  });
});

/** Random queries, the same in every run of the tests. */
class Source {
  constructor(private state: number) {}
  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * n);
  }
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const WORDS = ["x", "Vote", "voted_for", "a-b", "kLeader", "straße", "→"];
const TEXTS = [...WORDS, "two words", 'a"b', "back\\slash", "and", "", "nodes[1]", "3", "a:b", "(x)", "*"];

function somePath(source: Source): Path {
  const segments = Array.from({ length: source.below(4) }, (): Segment => {
    const draw = source.below(4);
    if (draw === 0) return { kind: "every" };
    if (draw === 1) return { kind: "key", key: source.of([...TEXTS, "7", "-1"]) };
    return { kind: "field", name: source.of([...TEXTS.filter((text) => text !== "(x)"), "(disk)"]) };
  });
  return { root: source.of(["nodes", "state", "x", "two words"]), segments, at: 0, end: 0 };
}

function someOperand(source: Source, right: boolean): Operand {
  const draw = source.below(right ? 5 : 4);
  if (draw === 0) return { kind: "number", value: source.of([0, 3, -2, 1.5]) };
  if (draw === 1) return { kind: "word", text: source.of(TEXTS), quoted: true };
  if (draw === 2) return { kind: "len", path: somePath(source) };
  if (draw === 4) return { kind: "word", text: source.of(WORDS), quoted: false };
  const path = somePath(source);
  // On the right (and as a quoted root) only what looks inside something is a path.
  if (path.segments.length === 0 && (right || path.root.includes(" "))) path.segments.push({ kind: "field", name: "x" });
  return { kind: "path", path };
}

function someQuery(source: Source, depth: number): Query {
  const draw = source.below(depth > 0 ? 10 : 7);
  const quantifier = source.of(["any", "any", "all"] as const);
  switch (draw) {
    case 0:
      return { kind: "text", text: source.of(TEXTS) };
    case 1:
      return { kind: "filter", name: source.of(FILTERS.filter((name) => name !== "step")), value: source.of(["deliver", "Vote*", "2", "two words"]), at: 0, end: 0 };
    case 2:
    case 3: {
      // "all" stands before a name.
      const left = someOperand(source, false);
      const all = left.kind === "number" ? "any" : quantifier;
      const operator = source.of<Comparison>(["=", "!=", "<", "<=", ">", ">="]);
      return { kind: "compare", quantifier: all, left, operator, right: someOperand(source, true) };
    }
    case 4: {
      const left = someOperand(source, false);
      const right = source.below(2) === 0 ? [someOperand(source, true), someOperand(source, true)] : someOperand(source, true);
      return { kind: "in", quantifier: left.kind === "number" ? "any" : quantifier, left, right };
    }
    case 5:
      return { kind: "changed", path: somePath(source) };
    case 6: {
      const path = somePath(source);
      if (path.segments.length === 0) path.segments.push({ kind: "field", name: "x" });
      return { kind: "holds", quantifier, path };
    }
    case 7:
      return { kind: source.of(["not", "becomes"] as const), item: someQuery(source, depth - 1) };
    default: {
      const kind = source.of(["and", "or"] as const);
      return { kind, items: Array.from({ length: 2 + source.below(2) }, () => someQuery(source, depth - 1)) };
    }
  }
}

describe("Printing and reading", () => {
  it("give the same query again, for 3,000 random ones", () => {
    const source = new Source(7);
    for (let i = 0; i < 3000; ++i) {
      const query = someQuery(source, 3);
      const text = printQuery(query);
      expect(bare(parsed(text)), text).toEqual(bare(query));
    }
  });
  it("never throw on random characters", () => {
    const source = new Source(9);
    const letters = [..."ab1 ()[]{}<>=!,:.\"*\\-", "and ", "nodes[", "len(", "in "];
    for (let i = 0; i < 3000; ++i) {
      const text = Array.from({ length: source.below(14) }, () => source.of(letters)).join("");
      const result = parseQuery(text);
      if (!result.ok) expect(result.mistake.at).toBeLessThanOrEqual(text.length);
    }
  });
});
