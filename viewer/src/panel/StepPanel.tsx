import * as store from "../store";

/** All about the selected step. */
export function StepPanel() {
  const run = store.run.value;
  if (!run) return null;
  return (
    <aside class="panel" aria-label="Selected step">
      <h2>{store.step.value === 0 ? "Start" : `Step ${store.step.value} of ${run.length}`}</h2>
      <p class="mono">{run.label(store.step.value)}</p>
    </aside>
  );
}
