// The search as it runs: a piece at a time, so that the page never waits, and further when a run grows.
import { effect, signal } from "@preact/signals";
import * as store from "../store";
import type { Run } from "../trace/run";
import { compileQuery, Texts, type Test } from "./evaluate";
import type { Mistake } from "./lex";
import { parseQuery } from "./parse";

export const mistake = signal<Mistake | null>(null);
export const notes = signal<readonly string[]>([]);
/** How many steps were looked at; the search is over when it is above the run's length. */
export const looked = signal(0);
/** Whether the bar is shown. */
export const searching = signal(false);

const texts = new WeakMap<Run, Texts>();

function textsOf(run: Run): Texts {
  let known = texts.get(run);
  if (!known) texts.set(run, (known = new Texts(run)));
  return known;
}

const SLICE_MS = 12;
const EVERY = 64; // steps between two looks at the clock

/** One search: goes on where it stopped, so that steps that come later are looked at, too. */
export class Search {
  readonly found: number[] = [];
  private next = 0;
  constructor(readonly run: Run, private readonly test: Test) {}

  /** Looks on until `now` says that the time is over; true: everything was looked at. */
  work(over: () => boolean): boolean {
    while (this.next <= this.run.length) {
      if (this.test(this.next)) this.found.push(this.next);
      ++this.next;
      if (this.next % EVERY === 0 && over()) break;
    }
    return this.next > this.run.length;
  }
  get looked(): number {
    return this.next;
  }
}

/** The search for a text in a run, or what is wrong with the text. */
export function searchFor(run: Run, text: string): { search: Search; notes: string[] } | { mistake: Mistake } {
  const parsed = parseQuery(text);
  if (!parsed.ok) return { mistake: parsed.mistake };
  const compiled = compileQuery(run, parsed.query, textsOf(run));
  if (!compiled.ok) return { mistake: compiled.mistake };
  return { search: new Search(run, compiled.test), notes: compiled.notes };
}

let current: { search: Search; text: string } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function goOn(): void {
  timer = undefined;
  if (!current) return;
  const until = performance.now() + SLICE_MS;
  const before = current.search.found.length;
  const done = current.search.work(() => performance.now() > until);
  if (current.search.found.length !== before) store.matches.value = current.search.found.slice();
  looked.value = current.search.looked;
  if (!done) timer = setTimeout(goOn, 0);
}

/** Keeps store.matches right for store.query and the shown run. */
export function startSearching(): void {
  effect(() => {
    const run = store.run.value;
    const text = store.query.value;
    void store.revision.value;
    clearTimeout(timer);
    if (!run || text.trim() === "") {
      current = null;
      mistake.value = null;
      notes.value = [];
      store.matches.value = [];
      return;
    }
    if (current?.search.run !== run || current.text !== text) {
      const made = searchFor(run, text);
      store.matches.value = [];
      looked.value = 0;
      mistake.value = "mistake" in made ? made.mistake : null;
      notes.value = "notes" in made ? made.notes : [];
      current = "search" in made ? { search: made.search, text } : null;
    }
    if (current) goOn();
  });
}

/** The place of the first match at or after a step, in the list of matches. */
export function firstFrom(matches: readonly number[], step: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches[middle]! < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Goes to the next match (or the one before), around the ends. */
export function goToMatch(direction: 1 | -1): void {
  const matches = store.matches.value;
  if (matches.length === 0) {
    store.notice.value = store.query.value ? "Nothing matches" : "There is no search; press / to begin one";
    return;
  }
  const at = firstFrom(matches, store.step.value);
  const on = matches[at] === store.step.value;
  const index = direction > 0 ? (on ? at + 1 : at) : at - 1;
  const around = (index + matches.length) % matches.length;
  store.selectStep(matches[around]!);
  store.notice.value = `Match ${around + 1} of ${matches.length}: step ${matches[around]}`;
}
