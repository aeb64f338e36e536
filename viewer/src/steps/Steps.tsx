import { useSignal } from "@preact/signals";
import { changesOf, placeAndWhat } from "../panel/facts";
import { cut } from "../panel/tree";
import { VirtualList } from "../panel/VirtualList";
import * as store from "../store";
import type { Run } from "../trace/run";
import { firstFrom } from "./search";
import "./steps.css";

const ROW = 28;

/** All steps of the run as a list, or those that match the search. */
export function Steps() {
  const only = useSignal(false);
  const run = store.run.value;
  void store.revision.value;
  if (!run) return null;
  const matches = store.matches.value;
  const filtered = only.value && store.query.value.trim() !== "";
  const count = filtered ? matches.length : run.length + 1;
  const stepOf = (index: number) => (filtered ? matches[index] ?? 0 : index);
  const at = filtered
    ? (matches[firstFrom(matches, store.step.value)] === store.step.value ? firstFrom(matches, store.step.value) : -1)
    : store.step.value;
  const isMatch = (step: number) => matches[firstFrom(matches, step)] === step;
  return (
    <div class="steps">
      <div class="steps-bar">
        <h1>Steps</h1>
        <span class="steps-note">{run.length.toLocaleString("en")} steps{store.query.value ? `, ${matches.length.toLocaleString("en")} match the search` : ""}</span>
        <label><input type="checkbox" checked={only.value} disabled={store.query.value === ""}
          onChange={(event) => { only.value = event.currentTarget.checked; }} /> Only matches</label>
      </div>
      <div class="steps-list">
        <VirtualList id="steps" label="Steps" count={count} rowHeight={ROW} at={at} center={filtered}
          onSelect={(index) => store.selectStep(stepOf(index))}
          rowClass={(index) => (isMatch(stepOf(index)) ? "match" : "")}
          row={(index) => <StepRow run={run} number={stepOf(index)} match={isMatch(stepOf(index))} />} />
      </div>
    </div>
  );
}

function StepRow({ run, number, match }: { run: Run; number: number; match: boolean }) {
  const kind = number === 0 ? "start" : run.step(number).kind;
  const round = loopMark(run, number);
  const bad = run.violated && number === run.verdictStep;
  const changes = changesOf(run, number);
  const { place, what } = placeAndWhat(run, number);
  const text = changes.slice(0, 4).map((change) => `${change.path}: ${cut(change.before, 24)} → ${cut(change.after, 40)}`).join(", ");
  return (
    <span class="steps-row">
      <span class="steps-match" aria-hidden={!match}>{match ? <>◆<span class="unseen"> matches </span></> : ""}</span>
      <span class="steps-number">{number}</span>
      <span class={`steps-kind ${run.kinds.isFault(kind) ? "fault" : ""}`}>{run.kinds.isFault(kind) ? "⚡ " : ""}{kind}</span>
      <span class="steps-place">{place}</span>
      <span class="steps-label">{cut(number === 0 ? "the initial state" : withoutKind(what, kind), 200)}</span>
      <span class="steps-bad">{bad ? "✗ violated" : ""}{bad && round ? ", " : ""}{round}</span>
      <span class="steps-changes">{text}{changes.length > 4 ? ", …" : ""}</span>
    </span>
  );
}

/** Where the cycle of a run that goes on for ever begins and closes. */
export function loopMark(run: Run, number: number): string {
  if (run.loopStart === null) return "";
  if (number === run.length) return run.goesRound ? `↺ then again from step ${run.loopStart + 1}` : "↺ stays for ever";
  return number === run.loopStart + 1 ? "↺ the cycle begins" : "";
}

const withoutKind = (label: string, kind: string) => (label.startsWith(`${kind} `) ? label.slice(kind.length + 1) : label);
