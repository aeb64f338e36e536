import { describe, expect, it } from "vitest";
import type { Json } from "../trace/value";
import { arrow, childrenOf, differences, leavesOf, valueAt } from "./tree";

const server: Json = {
  $type: "Server", stable: { $type: "Stable", term: 1, log: [{ $type: "Entry", term: 1 }] },
  role: { $enum: "Follower" }, granted: { $set: [2] }, followers: { $map: [[3, { $type: "Progress", next: 1 }]] },
};

const changed = (patch: Record<string, Json>): Json => ({ ...(server as Record<string, Json>), ...patch });

describe("A value as a tree", () => {
  it("names what is inside as the engine names paths", () => {
    expect(leavesOf(server).map(([path]) => path)).toEqual(
      ["stable.term", "stable.log[0].term", "role", "granted[2]", "followers[3].next"]);
  });
  it("finds every leaf by its path", () => {
    for (const [path, leaf] of leavesOf(server)) expect(valueAt(server, path)).toEqual(leaf);
    expect(valueAt(server, "stable.log[1]")).toBeUndefined();
    expect(valueAt(server, "")).toBe(server);
  });
  it("finds names that hold dots and brackets", () => {
    const odd: Json = { "a.b": { c: 1 }, a: { b: { d: 2 } }, m: { $map: [["x]y", 3]] } };
    expect(valueAt(odd, "a.b.c")).toBe(1);
    expect(valueAt(odd, "a.b.d")).toBe(2);
    expect(valueAt(odd, "m[x]y]")).toBe(3);
  });
  it("has nothing inside a leaf", () => {
    for (const leaf of [null, 1, "x", true, { $enum: "A" }, { $bytes: "00" }] as Json[]) {
      expect(childrenOf(leaf)).toEqual([]);
    }
  });
});

describe("The differences of two values", () => {
  const text = (after: Json) => differences(server, after).map((one) => `${one.path}: ${arrow(one)}`);
  it("are none for equal values that are not shared", () => {
    expect(differences(server, JSON.parse(JSON.stringify(server)))).toEqual([]);
  });
  it("go as deep as they can", () => {
    expect(text(changed({ stable: { $type: "Stable", term: 2, log: [{ $type: "Entry", term: 2 }] } })))
      .toEqual(["stable.term: 1 → 2", "stable.log[0].term: 1 → 2"]);
  });
  it("tell what came and what went", () => {
    expect(text(changed({ granted: { $set: [3] }, followers: { $map: [] } }))).toEqual(
      ["granted[3]: + 3", "granted[2]: − 2", "followers[3]: − Progress{next: 1}"]);
  });
  it("tell enums as leaves, and another type as another value", () => {
    expect(text(changed({ role: { $enum: "Leader" } }))).toEqual(["role: Follower → Leader"]);
    expect(text(changed({ stable: null }))).toEqual(["stable: Stable{term: 1, log: [Entry{term: 1}]} → -"]);
  });
});
