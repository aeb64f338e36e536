// Values as trees: what is inside a value, where it is (`stable.log.entries[0]`, in the words of the
// engine's `changes`), and what differs between two of them.
import { sameValue, shapeOf, show, type Json } from "../trace/value";

export interface Child {
  key: string; // unique among its siblings: `.term`, `[3]`
  label: string; // for people: `term`, `3`
  value: Json;
}

/** What is inside a value; nothing inside a leaf. Members of a set are found by what they are. */
export function childrenOf(value: Json): Child[] {
  const shape = shapeOf(value);
  switch (shape.kind) {
    case "leaf":
      return [];
    case "record":
      return shape.fields.map(([name, item]) => ({ key: `.${name}`, label: name, value: item }));
    case "list":
    case "tuple":
      return shape.items.map((item, i) => ({ key: `[${i}]`, label: String(i), value: item }));
    case "set":
      return shape.items.map((item) => ({ key: `[${show(item)}]`, label: show(item), value: item }));
    case "map":
      return shape.entries.map(([key, item]) => ({ key: `[${show(key)}]`, label: show(key), value: item }));
  }
}

export function joined(path: string, key: string): string {
  return path === "" && key.startsWith(".") ? key.slice(1) : path + key;
}

/** Empty records, lists, sets and maps have nothing to open, and are shown as leaves. */
export function isLeaf(value: Json): boolean {
  return childrenOf(value).length === 0;
}

/** What a closed node says about what it holds. */
export function summaryOf(value: Json, most = 60): string {
  return cut(show(value), most);
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export interface Difference {
  path: string;
  kind: "changed" | "added" | "removed";
  before: Json | undefined;
  after: Json | undefined;
}

/** Where `after` differs from `before`, as deep as can be told. Parts that are shared cost nothing. */
export function differences(before: Json, after: Json, path = "", into: Difference[] = []): Difference[] {
  if (before === after) return into;
  const was = shapeOf(before);
  const is = shapeOf(after);
  const alike = was.kind === is.kind && was.kind !== "leaf" &&
    !(was.kind === "record" && is.kind === "record" && was.type !== is.type);
  if (!alike) {
    if (!sameValue(before, after)) into.push({ path, kind: "changed", before, after });
    return into;
  }
  const old = new Map(childrenOf(before).map((child) => [child.key, child.value]));
  const seen = new Set<string>();
  for (const child of childrenOf(after)) {
    seen.add(child.key);
    const at = joined(path, child.key);
    const previous = old.get(child.key);
    if (previous === undefined) into.push({ path: at, kind: "added", before: undefined, after: child.value });
    else differences(previous, child.value, at, into);
  }
  for (const [key, value] of old) {
    if (!seen.has(key)) into.push({ path: joined(path, key), kind: "removed", before: value, after: undefined });
  }
  return into;
}

/** The value at a path, or undefined. */
export function valueAt(value: Json, path: string): Json | undefined {
  if (path === "") return value;
  for (const child of childrenOf(value)) {
    const at = child.key.startsWith(".") ? child.key.slice(1) : child.key;
    if (path === at) return child.value;
    if (!path.startsWith(at)) continue;
    const rest = path.slice(at.length);
    if (rest[0] === ".") {
      const inside = valueAt(child.value, rest.slice(1));
      if (inside !== undefined) return inside;
    } else if (rest[0] === "[") {
      const inside = valueAt(child.value, rest);
      if (inside !== undefined) return inside;
    }
  }
  return undefined;
}

/** Every leaf with its path, in order; at most `most` of them. */
export function leavesOf(value: Json, most = Infinity): [string, Json][] {
  const leaves: [string, Json][] = [];
  const walk = (item: Json, path: string) => {
    if (leaves.length >= most) return;
    const children = childrenOf(item);
    if (children.length === 0) leaves.push([path, item]);
    for (const child of children) walk(child.value, joined(path, child.key));
  };
  walk(value, "");
  return leaves;
}

/** A change as people read it: `0 → 1`, `+ Entry{…}`, `− Entry{…}`. */
export function arrow(difference: Difference): string {
  if (difference.kind === "added") return `+ ${show(difference.after ?? null)}`;
  if (difference.kind === "removed") return `− ${show(difference.before ?? null)}`;
  return `${show(difference.before ?? null)} → ${show(difference.after ?? null)}`;
}
