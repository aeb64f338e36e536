// Keeps the address bar and the page the same: the page opens by what stands after '#', and writes
// there what it shows.
import { effect, signal } from "@preact/signals";
import { api, loadSuite, suite, wordsOf } from "../api";
import { addressOf, fits, LONGEST_SHORT, parseLink, printLink, replayCommand, type Link } from "../links";
import * as store from "../store";
import { Run } from "../trace/run";
import { markGrown } from "./forks";
import type { Address } from "./read";

/** Why the link that the page was opened by could not be followed; "" if it was. */
export const linkTrouble = signal("");

/** Whether a subject's parameter has this value anyway. */
export function isDefaultOf(system: string): (name: string, value: string) => boolean {
  const subject = suite.value?.subjects.find((known) => known.name === system);
  return (name, value) => subject?.parameters.some((one) => one.name === name && one.default === value) ?? false;
}

/** A link to what is shown now; null: the run is too long for one, or cannot be run again. */
export function linkOf(run: Run | null, view: store.ViewName, step: number): string | null {
  if (!run) return printLink({ address: null, view, step: null });
  if (2 * run.length > LONGEST_SHORT) return null;
  const address = addressOf(run.trace);
  if (!address || (address.short ?? "").length > LONGEST_SHORT) return null;
  return printLink({ address, view, step }, isDefaultOf(address.system));
}

/** A name for a run that was fetched: its subject, and what is special about it. */
export function nameOf(address: Address): string {
  const bug = address.parameters.bug && address.parameters.bug !== "none" ? ` (${address.parameters.bug})` : "";
  return (address.scenario || address.system) + bug;
}

async function follow(link: Link): Promise<void> {
  linkTrouble.value = "";
  const { address } = link;
  if (address) {
    // A report does not know the defaults of its subject.
    const isDefault = store.served.value && (await loadSuite()) ? isDefaultOf(address.system) : undefined;
    const known = store.runs.value.findIndex((run) => fits(run.trace, address, isDefault));
    if (known >= 0) {
      if (known !== store.runIndex.value || link.step !== null) store.selectRun(known, link.step ?? undefined);
    } else if (store.served.value) {
      try {
        const { trace } = await api.run(address);
        const run = new Run(trace, nameOf(address), trace.verdict ? "violation" : "run");
        if (!run.violated) markGrown(run);
        store.addRun(run, link.step ?? undefined);
        // Where nothing has happened yet there is nothing to look at, but a lot to choose from.
        store.view.value = run.length === 0 ? "fork" : "overview";
      } catch (error) {
        linkTrouble.value = `The run that this link names cannot be shown: ${wordsOf(error)}`;
        store.view.value = "open";
        return;
      }
    } else {
      linkTrouble.value = "This page does not hold the run that the link names. " + (address.free_faults
        ? `It was recorded live: open its trace, or the link on a page of 'ordeal serve'.`
        : `It is shown by: ${replayCommand(address)} --html run.html`);
      return;
    }
  } else if (link.step !== null) {
    store.selectStep(link.step);
  }
  if (link.view) store.view.value = link.view;
}

function openBy(hash: string): Promise<void> {
  const link = parseLink(hash);
  if (link.ok) return follow(link.value);
  linkTrouble.value = `The link of this page is not right: ${link.error}`;
  return Promise.resolve();
}

const WAIT = 200; // a page that plays would write at every frame; browsers refuse that

/** Opens what the URL names, then keeps the URL up to date. */
export async function startLinking(): Promise<void> {
  let written = location.hash;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    timer = undefined;
    const hash = linkOf(store.run.value, store.view.value, store.step.value)
      ?? printLink({ address: null, view: store.view.value, step: store.step.value });
    if (hash === location.hash) return;
    written = hash;
    try {
      history.replaceState(null, "", hash || location.pathname + location.search);
    } catch {
      // A browser that forbids this for pages from disk; the link can still be copied.
    }
  };
  await openBy(location.hash);
  addEventListener("hashchange", () => {
    if (location.hash === written) return;
    written = location.hash;
    void openBy(location.hash);
  });
  effect(() => {
    void [store.run.value, store.view.value, store.step.value, store.revision.value, suite.value];
    timer ??= setTimeout(write, WAIT);
  });
}

/** What "Copy link" gives; the run is named whole, whatever the address bar holds. */
export function currentLink(): string | null {
  const hash = linkOf(store.run.value, store.view.value, store.step.value);
  return hash === null ? null : location.href.replace(/#.*$/, "") + hash;
}
