// What every file of the viewer keeps to.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

function files(folder: string): { path: string; text: string }[] {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|css|mjs)$/.test(entry.name))
    .map((entry) => {
      const path = `${entry.parentPath ?? entry.path}/${entry.name}`;
      return { path: path.slice(root.length), text: readFileSync(path, "utf8") };
    });
}

const all = ["src", "e2e", "scripts"].flatMap(files);

test("there are files to look at", () => {
  expect(all.length).toBeGreaterThan(20);
});

test("no file is longer than one can hold in mind", () => {
  expect(all.filter(({ text }) => text.split("\n").length > 600).map(({ path }) => path)).toEqual([]);
});

test("nothing becomes markup or code that was text", () => {
  const forbidden = /\b(inner|outer)HTML\b|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
  const shown = all.filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"));
  expect(shown.filter(({ text }) => forbidden.test(text)).map(({ path }) => path)).toEqual([]);
});

test("no note of work left undone", () => {
  const undone = new RegExp(["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|"));
  expect(all.filter(({ text }) => undone.test(text)).map(({ path }) => path)).toEqual([]);
});
