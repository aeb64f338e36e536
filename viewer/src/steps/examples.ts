// Queries that make sense for a run, for somebody who sees the search for the first time.
import { leavesOf } from "../panel/tree";
import type { Run } from "../trace/run";
import type { Json } from "../trace/value";
import { printPath, type Segment } from "./query";

export interface Example {
  query: string;
  what: string;
}

const isEnum = (value: Json): value is { $enum: string } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.$enum === "string";

/** `stable.term` as the query language writes it, or null where it is not plain. */
function written(root: Segment | null, path: string): string | null {
  const names = path.split(".");
  if (!names.every((name) => /^[A-Za-z_]\w*$/.test(name))) return null;
  const segments: Segment[] = names.map((name) => ({ kind: "field", name }));
  if (!root) return printPath({ root: names[0]!, segments: segments.slice(1), at: 0, end: 0 });
  return printPath({ root: "nodes", segments: [root, ...segments], at: 0, end: 0 });
}

export function examplesOf(run: Run): Example[] {
  const examples: Example[] = [];
  const add = (query: string, what: string) => examples.push({ query, what });
  const type = run.trace.steps.find((step) => step.kind === "deliver" && step.type)?.type;
  const node = run.lanes[0]?.name;
  if (type) add(type, "text, anywhere in a step");
  add(type ? `kind:deliver type:${/^[\w-]+$/.test(type) ? type : `"${type}"`}` : "kind:step", "by kind and type; both must fit");
  if (node !== undefined && /^\w+$/.test(node)) add(`node:${node} not kind:deliver`, "what a node does by itself");
  if (run.trace.steps.some((step) => run.kinds.isFault(step.kind))) add("kind:fault", "crashes, drops, partitions");
  const part = run.states.parts.find((one) => one.node >= 0) ?? run.states.parts[0];
  if (part) {
    const root: Segment | null = part.node >= 0 ? { kind: "key", key: run.nodeName(part.node) } : null;
    const leaves = leavesOf(part.versions[0]!.tree, 400);
    // A variable that changes says more than one that does not.
    const last = new Map(leavesOf(part.versions[part.versions.length - 1]!.tree, 400));
    const moved = (path: string, value: Json) => last.get(path) !== value;
    const pick = (test: (value: Json) => boolean) =>
      leaves.find(([path, value]) => test(value) && moved(path, value) && written(root, path)) ??
      leaves.find(([path, value]) => test(value) && written(root, path));
    const number = pick((value) => typeof value === "number");
    if (number) {
      add(`${written(root, number[0])} > 1`, "a predicate over the state after the step");
      add(`changed(${written(root, number[0])})`, "where a variable changes");
    }
    const word = pick(isEnum);
    if (word && isEnum(word[1])) {
      const every: Segment | null = root ? { kind: "every" } : null;
      add(`becomes(${written(every, word[0])} != ${word[1].$enum})`, "where any node begins to differ");
    }
  }
  return examples;
}
