import { pickPair } from "../compare/choice";
import { Long } from "../panel/words";
import * as store from "../store";
import type { Run } from "../trace/run";
import { Again } from "./Again";
import { Facts, Happened } from "./Correct";

/** A replay that did not go as its trace has it: that comes first, for the run says nothing else. */
export function Diverged({ run }: { run: Run }) {
  const mine = store.runIndex.value;
  const other = store.runs.value.findIndex((one) => one !== run);
  const show = () => {
    store.selectStep(run.length);
    store.view.value = "diagram";
  };
  const compare = () => {
    pickPair(other, mine);
    store.view.value = "compare";
  };
  return (
    <>
      <section class="over-hero" aria-labelledby="over-title">
        <p class="over-kind">✗ The replay diverged <span>(this is not the run of the trace)</span></p>
        <h1 id="over-title">{run.trace.system || run.name}</h1>
        <p class="over-why"><Long text={`Diverged ${run.divergence}`} most={420} what="reason" /></p>
        <div class="over-foot">
          <p class="over-where">Below is how it went until then. What the trace shows was not reached, so nothing is said about it.</p>
          <div class="over-buttons">
            <button type="button" class="primary" onClick={show}>Show the run until then</button>
            {other >= 0 ? <button type="button" onClick={compare}>Compare with the trace ({store.runs.value[other]!.length} steps)</button> : null}
          </div>
        </div>
      </section>
      <div class="over-columns">
        <section class="over-box" aria-labelledby="over-happened">
          <h2 id="over-happened">What happened until then</h2>
          <Happened run={run} />
        </section>
        <div class="over-side">
          <Facts run={run} />
          <Again run={run} />
        </div>
      </div>
    </>
  );
}
