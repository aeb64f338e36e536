import * as store from "../store";

/** Which of the page's runs is shown, and what it is. */
export function RunPicker() {
  const current = store.run.value;
  void store.revision.value; // a run that grows gets longer, and may get a verdict
  if (!current) return <span class="subject">{store.title.value}</span>;
  const verdict = current.isError ? "✗ error" : current.violated ? "✗ violated" : "✓ a run";
  return (
    <span class="picker">
      <span class={`badge ${current.violated ? "bad" : "good"}`}>{verdict}</span>
      {store.runs.value.length > 1 ? (
        <select aria-label="Run" value={store.runIndex.value}
          onChange={(event) => store.selectRun(Number(event.currentTarget.value))}>
          {store.runs.value.map((run, i) => (
            <option value={i} key={i}>{run.name} ({run.role}, {run.length} steps)</option>
          ))}
        </select>
      ) : <span class="subject">{current.trace.system}</span>}
    </span>
  );
}
