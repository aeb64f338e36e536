// Which values of the involved nodes explain a violation: those of which the reason has the name, and
// those that the last steps of these nodes changed.
import type { Run } from "../trace/run";
import { show } from "../trace/value";
import { reasonOperations } from "../trace/causality";
import { changesOf, isUp, treeOf } from "../panel/facts";
import { leavesOf, valueAt } from "../panel/tree";
import { changeLogOf } from "../state/history";

export interface ValueRow {
  path: string;
  values: (string | null)[]; // one for each node; null: it has no such value
  differ: boolean;
  compared: boolean[]; // by the reason: it has the name and the value
}

export interface ValueTable {
  nodes: { node: number; name: string; type: string; up: boolean; lastStep: number }[];
  rows: ValueRow[];
  complete: boolean; // false: only what changed is known, as the trace has no states
}

/** Words of a text that can name a field or a value: small letters, at least three of them. */
export function wordsOf(text: string): Set<string> {
  const split = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return new Set(split.match(/[a-z]{3,}/g) ?? []);
}

/** Whether two words are forms of one: lead, leads, leader. */
export function kin(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && long.startsWith(short) && long.length - short.length <= 3;
}

const COMMON = new Set(["node", "nodes", "server", "servers", "both", "and", "the", "was", "has", "not", "its",
  "with", "that", "true", "false", "none", "absent", "client", "number", "index"]);

function mentions(words: ReadonlySet<string>, text: string): boolean {
  for (const word of wordsOf(text)) {
    if (COMMON.has(word)) continue;
    for (const other of words) if (kin(word, other)) return true;
  }
  return false;
}

// Words that may stand between a name and its value.
const BETWEEN = new Set(["is", "was", "are", "of", "to", "at", "the", "number"]);

/**
 * Whether a text says that something of this name has this value: "term 2", "2 is the term"; or the value
 * itself where that is a word ("leads" of a Leader). That a value also occurs in the text says nothing.
 */
export function compares(text: string, name: string, value: string): boolean {
  const plain = value.replace(/^"(.*)"$/, "$1");
  if (!/^[\w-]{1,40}$/.test(plain)) return false;
  if (/^[A-Za-z]\w{2,30}$/.test(plain) && mentions(wordsOf(text), plain)) return true;
  const tokens = text.toLowerCase().match(/[a-z_]+|-?\d+|[\w-]+/g) ?? [];
  const names = [...wordsOf(name)].filter((word) => !COMMON.has(word));
  const beside = (at: number, step: number): boolean => {
    let other = at + step;
    while (BETWEEN.has(tokens[other] ?? "")) other += step;
    return names.some((word) => kin(word, tokens[other] ?? ""));
  };
  return tokens.some((token, at) => token === plain.toLowerCase() && (beside(at, -1) || beside(at, 1)));
}

const lastName = (path: string) => /([^.[\]]+)(\[[^\]]*\])*$/.exec(path)?.[1] ?? path;

function lastStepOf(run: Run, node: number, at: number): number {
  for (let number = at; number > 0; --number) {
    const step = run.step(number);
    if ((node < 0 || step.node === node) && step.kind !== "drop" && step.kind !== "duplicate") return number;
  }
  return 0;
}

const MOST_MENTIONED = 7;
const MOST_ROWS = 10;

/** Of some nodes; of a model without nodes, -1 is its state. */
export function valueTable(run: Run, nodes: readonly number[], at: number): ValueTable {
  const why = run.trace.verdict?.why ?? "";
  const words = wordsOf(why);
  // What a history is judged by is the results of its operations, not what nodes hold.
  const isOfNodes = reasonOperations(run).length === 0;
  const columns = nodes.map((node) => {
    const tree = treeOf(run, node, at);
    const known = tree === undefined ? changeLogOf(run).values(node, at) : null;
    const lookUp = (path: string): string | null => {
      if (known) return known.get(path) ?? null;
      const value = valueAt(tree!, path);
      return value === undefined ? null : show(value);
    };
    const paths = known ? [...known.keys()] : leavesOf(tree!, 2000).map(([path]) => path);
    return { node, lookUp, paths, lastStep: lastStepOf(run, node, at) };
  });
  const mentioned = new Set<string>();
  const changed = new Set<string>();
  for (const { lookUp, paths, lastStep } of columns) {
    for (const path of paths) {
      const value = lookUp(path) ?? "";
      const isWord = /^[A-Za-z]\w{2,30}$/.test(value);
      if (mentions(words, lastName(path)) || (isWord && mentions(words, value))) mentioned.add(path);
    }
    for (const change of lastStep > 0 ? changesOf(run, lastStep) : []) {
      if (change.after !== "absent") changed.add(change.path);
    }
  }
  // The copy on disk says nothing new where memory says the same.
  const plain = (path: string) => !path.startsWith("(disk)") && !path.startsWith("(timers)");
  const row = (path: string): ValueRow => {
    const values = columns.map((column) => column.lookUp(path));
    const compared = values.map((value) => isOfNodes && value !== null && compares(why, lastName(path), value));
    return { path, values, differ: new Set(values).size > 1, compared };
  };
  // Deep inside, only what tells the nodes apart is worth a line.
  const first = [...mentioned].filter(plain).map(row).filter((one) => one.differ || depth(one.path) <= 2)
    .sort((a, b) => depth(a.path) - depth(b.path)).slice(0, MOST_MENTIONED);
  const covers = (path: string) => first.some((one) => one.path.startsWith(path));
  const second = [...changed].filter((path) => plain(path) && !covers(path)).map(row)
    .filter((one) => one.differ || nodes.length === 1)
    .sort((a, b) => Number(b.differ) - Number(a.differ) || depth(a.path) - depth(b.path));
  const all = [...first, ...second].slice(0, MOST_ROWS);
  return {
    nodes: columns.map(({ node, lastStep }) => ({
      node, name: node < 0 ? "state" : run.nodeName(node), type: run.lanes[run.lane(node)]?.type ?? "", up: isUp(run, node, at), lastStep,
    })),
    rows: all.filter((one) => one.values.some((value) => value !== null)),
    complete: run.states.known,
  };
}

const depth = (path: string) => path.split(/[.[]/).length;
