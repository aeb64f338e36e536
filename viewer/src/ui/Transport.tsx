import * as store from "../store";

/** Play, pause, step, back, jump: moves the selected step. */
export function Transport() {
  const run = store.run.value;
  if (!run) return null;
  return (
    <footer class="transport" role="group" aria-label="Playback">
      <button type="button" onClick={() => store.selectStep(store.step.value - 1)}>Back</button>
      <button type="button" onClick={() => store.selectStep(store.step.value + 1)}>Step</button>
    </footer>
  );
}
