// The rows of a tree as it is shown: what is open is laid out line by line, so that keys and screen
// readers walk a flat list and a value with thousands of members stays quick.
import { sameValue, shapeOf, show, type Json } from "../trace/value";
import { arrow, childrenOf, cut, differences, joined, type Difference } from "./tree";

export type Mark = "none" | "changed" | "added" | "removed" | "inside";

export interface Row {
  path: string;
  parent: string;
  label: string;
  level: number; // from 1
  open: boolean | null; // null: there is nothing to open
  text: string; // the value, or what it holds in brief
  before: string | null; // of changed leaves: the old value
  mark: Mark;
  more: number; // > 0: this row stands for so many members that are not shown yet
}

export interface RowOptions {
  /** What it was before; left out: nothing is marked. */
  before?: Json;
  isOpen: (path: string, level: number) => boolean;
  onlyChanges?: boolean;
  /** How many members of one value are shown; more on request. */
  most?: (path: string) => number;
}

export const MOST_MEMBERS = 100;
const BRIEF = 120;

/** In brief what a value holds; of a long list how many. */
export function briefly(value: Json): string {
  const shape = shapeOf(value);
  if (shape.kind === "leaf") return shape.text;
  if (shape.kind === "record") return cut(show(value), BRIEF);
  const count = shape.kind === "map" ? shape.entries.length : shape.items.length;
  return count > 8 ? `${count} ${shape.kind === "map" ? "entries" : "items"}` : cut(show(value), BRIEF);
}

/** What changed inside a closed value, in a line. */
export function insideText(before: Json, after: Json): string {
  const all: Difference[] = differences(before, after);
  const first = all.slice(0, 3).map((one) => `${one.path.replace(/^\./, "")}: ${cut(arrow(one), 50)}`);
  return first.join(", ") + (all.length > 3 ? `, and ${all.length - 3} more` : "");
}

export function rowsOf(value: Json, options: RowOptions): Row[] {
  const rows: Row[] = [];
  const walk = (parent: Json, was: Json | undefined, path: string, level: number) => {
    const compared = was !== undefined;
    const old = new Map((compared ? childrenOf(was) : []).map((child) => [child.key, child.value]));
    const present = childrenOf(parent);
    const kept = new Set(present.map((child) => child.key));
    const gone = [...old].filter(([key]) => !kept.has(key));
    const most = options.most?.(path) ?? MOST_MEMBERS;
    let shown = 0;
    let hidden = 0;
    for (const child of present) {
      const previous = old.get(child.key);
      let mark: Mark = "none";
      if (compared && previous === undefined) mark = "added";
      else if (compared && previous !== child.value && !sameValue(previous!, child.value)) {
        mark = alike(previous!, child.value) ? "inside" : "changed";
      }
      if (options.onlyChanges && mark === "none") continue;
      if (shown === most) {
        ++hidden;
        continue;
      }
      ++shown;
      const at = joined(path, child.key);
      const opens = childrenOf(child.value).length > 0 || mark === "inside"; // what is gone is inside, too
      const open = opens ? options.isOpen(at, level) : null;
      const inside = mark === "inside" && open === false ? insideText(previous!, child.value) : "";
      rows.push({
        path: at, parent: path, label: child.label, level, open, mark, more: 0,
        text: open ? typeText(child.value) : inside || briefly(child.value),
        before: mark === "changed" ? briefly(previous!) : null,
      });
      if (open) walk(child.value, mark === "inside" || (compared && mark === "none") ? previous : undefined, at, level + 1);
    }
    if (hidden > 0) {
      rows.push({
        path: `${path}…`, parent: path, label: `${hidden} more`, level, open: null, text: "", before: null,
        mark: "none", more: hidden,
      });
    }
    for (const [key, value] of gone.slice(0, most)) {
      rows.push({
        path: joined(path, key), parent: path, label: labelOf(key), level, open: null, text: "gone",
        before: briefly(value), mark: "removed", more: 0,
      });
    }
  };
  walk(value, options.before, "", 1);
  return rows;
}

const labelOf = (key: string) => (key.startsWith(".") ? key.slice(1) : key.slice(1, -1));

function alike(a: Json, b: Json): boolean {
  const x = shapeOf(a);
  const y = shapeOf(b);
  return x.kind !== "leaf" && x.kind === y.kind && !(x.kind === "record" && y.kind === "record" && x.type !== y.type);
}

function typeText(value: Json): string {
  const shape = shapeOf(value);
  if (shape.kind === "record") return shape.type;
  if (shape.kind === "leaf") return shape.text;
  return `${shape.kind} of ${shape.kind === "map" ? shape.entries.length : shape.items.length}`;
}
