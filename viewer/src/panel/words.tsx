// Small pieces that all panels share: a step as a link, text that may be long, a value that changed.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import * as store from "../store";
import type { ShownChange } from "./facts";
import { cut } from "./tree";
import "./panel.css";

/** A link that selects a step, and shows it in a view if one is named. */
export function StepLink({ number, to, children }: { number: number; to?: store.ViewName; children?: ComponentChildren }) {
  const go = () => {
    store.selectStep(number);
    if (to) store.view.value = to;
  };
  const run = store.run.value;
  const title = run && number >= 0 && number <= run.length ? run.label(number) : undefined;
  return (
    <button type="button" class="link" onClick={go} title={title}>
      {children ?? (number === 0 ? "the start" : `step ${number}`)}
    </button>
  );
}

/** Text that may be thousands of characters long: cut, with a way to see all of it. */
export function Long({ text, most = 240, what = "text" }: { text: string; most?: number; what?: string }) {
  const all = useSignal(false);
  if (text.length <= most + 40) return <>{text}</>;
  return (
    <>
      {all.value ? text : `${text.slice(0, most)}… `}
      <button type="button" class="link" aria-expanded={all.value} onClick={() => { all.value = !all.value; }}>
        {all.value ? " show less" : `show all of the ${what} (${text.length.toLocaleString("en")} characters)`}
      </button>
    </>
  );
}

/** `path: old → new`, with signs for what came and went. */
export function ChangeLine({ change, most = 160, brief = false }: { change: ShownChange; most?: number; brief?: boolean }) {
  const value = (text: string, what: string) => brief
    ? <span title={text.length > most ? text : undefined}>{cut(text, most)}</span>
    : <Long text={text} most={most} what={what} />;
  const came = change.before === "absent";
  const went = change.after === "absent";
  const sign = came ? "+" : went ? "−" : "≠";
  return (
    <span class={`change ${came ? "came" : went ? "went" : "other"}`}>
      <span class="change-sign" aria-hidden="true">{sign}</span>
      <span class="change-path">{change.path || "state"}</span>
      {came ? null : <del>{value(change.before, "old value")}</del>}
      {came || went ? null : <span class="change-arrow"><span aria-hidden="true">→</span><span class="unseen"> becomes </span></span>}
      {went ? <span class="unseen"> is gone</span> : <ins>{value(change.after, "value")}</ins>}
      {change.onDisk ? <span class="change-disk">on disk, too</span> : null}
    </span>
  );
}
