// Which two of the page's runs are compared, by index; -1: not chosen.
import { signal } from "@preact/signals";

export const left = signal(-1);
export const right = signal(-1);

export function pickPair(a: number, b: number): void {
  left.value = a;
  right.value = b;
}
