import { describe, expect, it } from "vitest";
import type { Json } from "../trace/value";
import { rowsOf, type RowOptions } from "./rows";

const before: Json = { $type: "S", stable: { $type: "D", term: 1, vote: 0 }, role: { $enum: "F" }, seen: { $set: [1] } };
const after: Json = { $type: "S", stable: { $type: "D", term: 2, vote: 0 }, role: { $enum: "L" }, seen: { $set: [2] } };

const lines = (options: RowOptions) => rowsOf(after, options).map((row) =>
  `${"  ".repeat(row.level - 1)}${row.mark} ${row.label}: ${row.before === null ? "" : `${row.before} → `}${row.text}`);

describe("The rows of a tree", () => {
  it("show closed values in brief and mark nothing without a before", () => {
    expect(lines({ isOpen: () => false })).toEqual([
      "none stable: D{term: 2, vote: 0}", "none role: L", "none seen: {2}"]);
  });
  it("mark what changed, also inside of what is closed", () => {
    expect(lines({ before, isOpen: () => false })).toEqual([
      "inside stable: term: 1 → 2", "changed role: F → L", "inside seen: [2]: + 2, [1]: − 1"]);
  });
  it("open level by level, with what is gone behind what is there", () => {
    expect(lines({ before, isOpen: () => true })).toEqual([
      "inside stable: D", "  changed term: 1 → 2", "  none vote: 0", "changed role: F → L",
      "inside seen: set of 1", "  added 2: 2", "  removed 1: 1 → gone"]);
  });
  it("open what became empty, to show what is gone", () => {
    const rows = rowsOf({ seen: { $set: [] } }, { before: { seen: { $set: [1] } }, isOpen: () => false });
    expect(rows).toMatchObject([{ mark: "inside", open: false, text: "[1]: − 1" }]);
  });
  it("leave out what is the same, on request", () => {
    expect(lines({ before, isOpen: () => true, onlyChanges: true })).not.toContain("  none vote: 0");
    expect(rowsOf(after, { before: after, isOpen: () => true, onlyChanges: true })).toEqual([]);
  });
  it("stop at many members and say how many are left", () => {
    const long: Json = { list: Array.from({ length: 5000 }, (_, i) => i) };
    const rows = rowsOf(long, { isOpen: () => true });
    expect(rows.length).toBe(102);
    expect(rows[101]).toMatchObject({ label: "4900 more", more: 4900, parent: "list" });
    expect(rowsOf(long, { isOpen: () => false })[0]!.text).toBe("5000 items");
  });
});
