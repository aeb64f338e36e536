// The history of one variable: from which step on it had which value.
import type { Run } from "../trace/run";
import type { Part } from "../trace/states";
import { sameValue, shapeOf, show, type Json } from "../trace/value";
import { foldDisk } from "../panel/facts";
import { childrenOf, valueAt } from "../panel/tree";

export interface Moment {
  step: number; // from this step on
  text: string | null; // null: there is no such value then
  value: Json | undefined; // undefined also where the trace only tells texts
}

/** Every value of the variable at `path` in a part, in order; neighbours differ. */
export function historyOf(part: Part, path: string): Moment[] {
  const moments: Moment[] = [];
  let last: Json | undefined;
  let first = true;
  let tree: Json | undefined;
  for (const version of part.versions) {
    if (!first && version.tree === tree) continue;
    tree = version.tree;
    const value = valueAt(version.tree, path);
    const same = !first && (value === last || (value !== undefined && last !== undefined && sameValue(value, last)));
    first = false;
    if (same) continue;
    last = value;
    moments.push({ step: version.step, text: value === undefined ? null : show(value), value });
  }
  return moments;
}

/** The index of the moment that counts after `step`; -1: before the first. */
export function momentAt(moments: readonly Moment[], step: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle]!.step <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What a trace without states tells of its nodes: the values that changed, by node and path. */
export class ChangeLog {
  private readonly nodes = new Map<number, Map<string, Moment[]>>();
  private read = 0;

  constructor(private readonly run: Run) {}

  private catchUp(): void {
    for (; this.read < this.run.length; ++this.read) {
      const step = this.run.step(this.read + 1);
      if (step.kind === "drop" || step.kind === "duplicate") continue;
      const node = step.node ?? -1;
      for (const change of foldDisk(step.changes ?? [])) {
        let paths = this.nodes.get(node);
        if (!paths) this.nodes.set(node, (paths = new Map()));
        let moments = paths.get(change.path);
        const text = (value: string) => (value === "absent" ? null : value);
        if (!moments) paths.set(change.path, (moments = [{ step: 0, text: text(change.before), value: undefined }]));
        moments.push({ step: this.read + 1, text: text(change.after), value: undefined });
      }
    }
  }

  history(node: number, path: string): Moment[] {
    this.catchUp();
    return this.nodes.get(node)?.get(path) ?? [];
  }

  /** The values after a step, by path; those that never change are not known. */
  values(node: number, step: number): Map<string, string> {
    this.catchUp();
    const values = new Map<string, string>();
    for (const [path, moments] of this.nodes.get(node) ?? []) {
      const text = moments[momentAt(moments, step)]?.text ?? null;
      if (text !== null) values.set(path, text);
    }
    return values;
  }
}

const logs = new WeakMap<Run, ChangeLog>();

export function changeLogOf(run: Run): ChangeLog {
  let log = logs.get(run);
  if (!log) logs.set(run, (log = new ChangeLog(run)));
  return log;
}

export interface Scale {
  kind: "numbers" | "words";
  low: number;
  high: number;
  words: string[]; // kind words: from the bottom
}

const MOST_WORDS = 8;

/** How a history is drawn: by numbers, by a few words (or truth values), or not at all. */
export function scaleOf(moments: readonly Moment[]): Scale | null {
  const words: string[] = [];
  let low = Infinity;
  let high = -Infinity;
  let numbers = true;
  for (const moment of moments) {
    if (moment.text === null) continue;
    if (moment.value !== undefined && shapeOf(moment.value).kind !== "leaf" && childrenOf(moment.value).length > 0) return null;
    const number = /^-?\d+(\.\d+)?$/.test(moment.text) ? Number(moment.text) : NaN;
    if (Number.isFinite(number)) {
      low = Math.min(low, number);
      high = Math.max(high, number);
    } else {
      numbers = false;
    }
    if (words.length <= MOST_WORDS && !words.includes(moment.text)) words.push(moment.text);
  }
  if (words.length === 0) return null;
  if (numbers) return { kind: "numbers", low, high, words: [] };
  if (words.length > MOST_WORDS) return null;
  return { kind: "words", low: 0, high: words.length - 1, words };
}

export interface Point {
  step: number;
  low: number; // of all values in this column; the same as high unless many were joined
  high: number;
  last: number;
}

/** Points of a step chart, at most `columns` of them: near ones are joined, keeping their extremes. */
export function pointsOf(moments: readonly Moment[], scale: Scale, length: number, columns: number): (Point | null)[] {
  const points: (Point | null)[] = [];
  let column = -1;
  for (const moment of moments) {
    const value = moment.text === null ? null
      : scale.kind === "numbers" ? Number(moment.text) : scale.words.indexOf(moment.text);
    const at = Math.floor((moment.step / Math.max(1, length)) * columns);
    const previous = points[points.length - 1];
    if (at === column && value !== null && previous) {
      previous.low = Math.min(previous.low, value);
      previous.high = Math.max(previous.high, value);
      previous.last = value;
      continue;
    }
    column = at;
    points.push(value === null ? null : { step: moment.step, low: value, high: value, last: value });
  }
  return points;
}
