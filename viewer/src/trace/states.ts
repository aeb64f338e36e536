// The state of every part of a system after every step, from the patches of a trace.
import type { Trace } from "./format";
import { applyPatch } from "./patch";
import type { Json } from "./value";

/** A part as it is from `step` on, until its next version. */
export interface Version {
  step: number;
  up: boolean;
  tree: Json;
}

export interface Part {
  name: string;
  node: number; // -1: none
  type: string;
  component: boolean;
  versions: Version[]; // at least one; ascending
}

export class States {
  readonly parts: Part[] = [];
  private readonly byName = new Map<string, Part>();

  constructor(trace: Trace) {
    for (const part of trace.initially?.parts ?? []) {
      const known: Part = {
        name: part.name,
        node: part.node ?? -1,
        type: part.type ?? "",
        component: part.component ?? false,
        versions: [{ step: 0, up: part.up ?? true, tree: (part.tree ?? null) as Json }],
      };
      this.parts.push(known);
      this.byName.set(part.name, known);
    }
    trace.steps.forEach((step, i) => this.append(step, i + 1));
  }

  /** Adds what one more step changed, as when a run is watched while it goes on. */
  append(step: Trace["steps"][number], number: number): void {
    for (const change of step.parts ?? []) {
      const part = this.byName.get(change.name);
      if (!part) continue;
      const last = part.versions[part.versions.length - 1]!;
      part.versions.push({
        step: number,
        up: change.up ?? last.up,
        tree: applyPatch(last.tree, change.patch ?? []),
      });
    }
  }

  /** False: the trace was written without states. */
  get known(): boolean {
    return this.parts.length > 0;
  }

  part(name: string): Part | undefined {
    return this.byName.get(name);
  }
  ofNode(node: number): Part | undefined {
    return this.parts.find((part) => part.node === node);
  }
}

/** The version of a part that counts after `step`. */
export function versionAt(part: Part, step: number): Version {
  let low = 0;
  let high = part.versions.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (part.versions[middle]!.step <= step) low = middle;
    else high = middle - 1;
  }
  return part.versions[low]!;
}
