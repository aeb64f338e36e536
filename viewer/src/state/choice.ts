// What the state view keeps while steps, runs and views change.
import { signal } from "@preact/signals";

/** By type of part: which paths are open. Nodes of one type open alike, to be compared. */
export const openPaths = signal<ReadonlyMap<string, ReadonlyMap<string, boolean>>>(new Map());
export const onlyChanges = signal(false);

export interface Picked {
  part: string; // "node 1"
  node: number;
  path: string;
}
export const picked = signal<Picked | null>(null);

export const NONE: ReadonlyMap<string, boolean> = new Map();

export function toggleOpen(type: string, path: string, open: boolean): void {
  const all = new Map(openPaths.value);
  all.set(type, new Map(all.get(type) ?? []).set(path, open));
  openPaths.value = all;
}
