// The kinds of actions of a run: those that every world may have, and those that its trace describes.
import type { DescribedKind, Trace } from "./format";

const FAULTS: ReadonlySet<string> =
  new Set(["crash", "recover", "drop", "duplicate", "partition", "heal", "suspect"]);

export class Kinds {
  readonly described: ReadonlyMap<string, DescribedKind>;

  constructor(trace: Trace) {
    this.described = new Map((trace.kinds ?? []).map((kind) => [kind.name, kind]));
  }

  /** Whether it is one that nobody wishes for. */
  isFault(kind: string): boolean {
    return this.described.get(kind)?.fault ?? FAULTS.has(kind);
  }
}

/** The words of a described kind, with what stands in braces replaced. */
export function wordsOf(kind: DescribedKind, node: string, from: string, what: string): string {
  if (kind.words) {
    return kind.words.replace(/\{(node|from|what)\}/g, (_, name) => (name === "node" ? node : name === "from" ? from : what));
  }
  const place = !node ? "" : !from ? ` at ${node}` : ` ${from}→${node}`;
  return kind.name + (what ? ` ${what}` : "") + place;
}
