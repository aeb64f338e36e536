import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, loadSuite, suite, wordsOf } from "../api";
import * as store from "../store";
import { Run } from "../trace/run";
import { pickPair } from "./choice";

/**
 * Before and after a fix, with the engine behind the page: the shown run is replayed on another form
 * of its subject, as far as it goes there, and the two are compared.
 */
export function OtherForm() {
  const shown = store.run.value;
  const bug = useSignal("none");
  const trouble = useSignal("");
  const busy = useSignal(false);
  useEffect(() => { if (store.served.value) void loadSuite(); }, []);
  const subject = suite.value?.subjects.find((one) => one.name === shown?.trace.system);
  if (!store.served.value || !shown || !subject || shown.trace.source || subject.bugs.length === 0) return null;
  const replay = async () => {
    busy.value = true;
    trouble.value = "";
    try {
      const from = store.runIndex.value;
      const told = await api.replay(shown.trace, { bug: bug.value });
      const form = bug.value === "none" ? "the correct form" : bug.value;
      const how = told.reproduced ? "goes the same way" : told.divergedAt > 0 ? `parts at step ${told.divergedAt}` : "ends another way";
      const where = told.divergedAt > 0 ? `at step ${told.divergedAt} of ${shown.length}` : "in its verdict";
      const role = told.trace.verdict ? "violation" : told.reproduced ? "passing" : "run"; // a part of a run has not passed
      store.runs.value = [...store.runs.value,
        new Run(told.trace, `${form}: ${how}`, role, "", told.reproduced ? "" : `${where}: ${told.why}`)];
      pickPair(from, store.runs.value.length - 1);
      store.notice.value = `On ${form} the run ${how}. ${told.why}`;
    } catch (error) {
      trouble.value = wordsOf(error);
    }
    busy.value = false;
  };
  return (
    <form class="cmp-form" onSubmit={(event) => { event.preventDefault(); void replay(); }}>
      <label>The same run on{" "}
        <select value={bug.value} onChange={(event) => { bug.value = event.currentTarget.value; }}>
          <option value="none">the correct form</option>
          {subject.bugs.map((one) => <option value={one.name} key={one.name}>with the bug {one.name}</option>)}
        </select>
      </label>
      <button type="submit" disabled={busy.value}>Replay and compare</button>
      {trouble.value ? <span role="alert" class="cmp-trouble">{trouble.value}</span> : null}
    </form>
  );
}
