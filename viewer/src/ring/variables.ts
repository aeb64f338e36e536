// The variables of nodes that a lamp can show: fields of records, however deep, not what lists hold.
import { valueAt } from "../panel/tree";
import type { Run } from "../trace/run";
import { versionAt, type States } from "../trace/states";
import { shapeOf, show, type Json } from "../trace/value";

const MOST = 200;

/** The paths of the fields of a record, `stable.term`, in their order. */
export function fieldPaths(tree: Json, before = "", into: string[] = []): string[] {
  const shape = shapeOf(tree);
  if (shape.kind !== "record") return into;
  for (const [name, value] of shape.fields) {
    if (into.length >= MOST) return into;
    const path = before === "" ? name : `${before}.${name}`;
    const inside = shapeOf(value);
    if (inside.kind === "record" && inside.fields.length > 0) fieldPaths(value, path, into);
    else into.push(path);
  }
  return into;
}

/** All variables that some node has at its start, each once. */
export function variablesOf(states: States): string[] {
  const seen = new Set<string>();
  for (const part of states.parts) {
    if (part.node < 0) continue;
    for (const path of fieldPaths(part.versions[0]!.tree)) seen.add(path);
  }
  return [...seen];
}

const isEnum = (value: Json | undefined) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.$enum === "string";

/** What people look for first: a role or the like, else what changes most often. */
export function firstVariable(states: States): string {
  const paths = variablesOf(states);
  let best = "";
  let most = 0;
  for (const path of paths) {
    let changes = 0;
    for (const part of states.parts) {
      if (part.node < 0) continue;
      const first = valueAt(part.versions[0]!.tree, path);
      if (isEnum(first)) return path;
      // Some versions are enough to tell what changes.
      const seen = new Set(part.versions.slice(0, 60).map((version) => textOf(valueAt(version.tree, path))));
      changes += seen.size - 1;
    }
    if (changes > most && !path.startsWith("(")) [best, most] = [path, changes];
  }
  return best || (paths[0] ?? "");
}

const textOf = (value: Json | undefined) => (value === undefined ? "" : show(value));

/** The value of a variable of a node after a step, as text; null: the node has no such variable. */
export function variableAt(run: Run, node: number, path: string, step: number): string | null {
  const part = run.states.ofNode(node);
  if (!part || path === "") return null;
  const value = valueAt(versionAt(part, step).tree, path);
  return value === undefined ? null : show(value);
}

/** One of eight hues, the same for the same text. */
export function hueOf(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; ++i) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
  return hash % 8;
}
