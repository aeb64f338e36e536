// The same files on which the C++ reader is tested (tests/engine/trace/files_test.cc).
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readTrace } from "./read";
import { Run } from "./run";

const folder = fileURLToPath(new URL("../../../tests/data/traces/", import.meta.url));
const text = (file: string) => readFileSync(folder + file, "utf8");

describe("good traces", () => {
  for (const file of readdirSync(folder + "good")) {
    test(`${file} is read, and every step has its words and its lane`, () => {
      const read = readTrace(text(`good/${file}`));
      if (!read.ok) throw new Error(read.error);
      const run = new Run(read.value);
      for (let number = 1; number <= run.length; ++number) {
        expect(run.label(number)).not.toBe("");
        const node = run.step(number).node;
        if (node !== undefined && run.lanes.length > 0) expect(run.lane(node)).toBeGreaterThanOrEqual(0);
      }
    });
  }
});

describe("bad traces", () => {
  const expected = JSON.parse(text("bad/expected.json")) as Record<string, string>;
  test("each has its place told", () => {
    const files = readdirSync(folder + "bad").filter((file) => file !== "expected.json");
    expect(Object.keys(expected).sort()).toEqual(files.sort());
  });
  for (const [file, place] of Object.entries(expected)) {
    test(`${file} is refused at ${place}`, () => {
      const read = readTrace(text(`bad/${file}`));
      const told = read.ok ? "" : read.error.slice(0, read.error.indexOf(": "));
      // A reader may point further in.
      expect(told === place || told.startsWith(place + ".")).toBe(true);
    });
  }
});
