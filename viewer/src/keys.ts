// The keyboard. Every view registers its keys here while it is shown, so that one list tells them all
// and no two mean different things at once.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export interface Key {
  keys: string[]; // as KeyboardEvent.key has them; arrows and the like with "Shift+" before
  what: string;
  run: (event: KeyboardEvent) => void;
}

export const keymap = signal<Key[]>([]);

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Keys that a focused control needs for itself. */
function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("button, a, summary")) return key === " " || key === "Enter";
  if (target.closest('[role="tab"], [role="tree"], [role="listbox"]')) {
    return key.startsWith("Arrow") || key === "Home" || key === "End" || key === " " || key === "Enter";
  }
  return false;
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || isTakenBy(event.target, event.key)) return;
    // A letter tells by itself whether shift was held.
    const pressed = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key;
    // What was registered last is nearest to the user.
    const key = [...keymap.value].reverse().find((candidate) => candidate.keys.includes(pressed));
    if (!key) return;
    event.preventDefault();
    key.run(event);
  });
}

/** Registers keys while the calling component is shown. */
export function useKeys(keys: Key[], dependencies: readonly unknown[] = []): void {
  useEffect(() => {
    keymap.value = [...keymap.peek(), ...keys];
    return () => {
      keymap.value = keymap.peek().filter((key) => !keys.includes(key));
    };
  }, dependencies);
}
