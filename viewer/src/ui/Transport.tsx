import { useEffect, useState } from "preact/hooks";
import { useKeys } from "../keys";
import * as store from "../store";
import * as playback from "./playback";
import "./transport.css";

/** Play, pause, step, back, jump: moves the selected step. */
export function Transport() {
  const run = store.run.value;
  const step = store.step.value;
  useEffect(() => playback.followSteps(), []);
  useEffect(() => () => playback.pause(), []);
  useKeys([
    { keys: [" "], what: "play or pause", run: playback.toggle },
    { keys: [">", "."], what: "play faster", run: () => playback.changeSpeed(1) },
    { keys: ["<", ","], what: "play slower", run: () => playback.changeSpeed(-1) },
    { keys: ["g"], what: "go to a step by its number",
      run: () => document.getElementById("transport-number")?.focus() },
  ]);
  if (!run) return null;
  void store.revision.value; // a run that is watched live grows
  const by = (steps: number) => { playback.pause(); store.selectStep(step + steps); };
  const to = (target: number) => { playback.pause(); store.selectStep(target); };
  const words = step === 0 ? "start" : `step ${step}: ${run.label(step)}`;
  return (
    <footer class="transport" role="group" aria-label="Playback">
      <button type="button" aria-label="To the start" title="To the start (Home)"
        disabled={step === 0} onClick={() => to(0)}>|◂</button>
      <button type="button" aria-label="One step back" title="One step back (←)"
        disabled={step === 0} onClick={() => by(-1)}>◂ Back</button>
      <button type="button" class="transport-play" aria-pressed={playback.playing.value}
        title="Play or pause (space)" onClick={playback.toggle}>
        {playback.playing.value ? "❚❚ Pause" : "▶ Play"}
      </button>
      {run.goesRound && step >= run.length ? (
        <button type="button" aria-label="Once more round" title={`The run is where it was after step ${run.loopStart}: once more`}
          onClick={() => to(run.loopStart! + 1)}>↺ Again</button>
      ) : (
        <button type="button" aria-label="One step on" title="One step on (→)"
          disabled={step >= run.length} onClick={() => by(1)}>Step ▸</button>
      )}
      <button type="button" aria-label="To the end" title="To the end (End)"
        disabled={step >= run.length} onClick={() => to(run.length)}>▸|</button>
      {run.violated ? (
        <button type="button" class="transport-bad" title={`To the ${run.isError ? "error" : "violation"} (v)`}
          onClick={() => to(run.verdictStep)}>{run.isError ? "✗ Error" : "✗ Violation"}</button>
      ) : null}
      <input class="transport-slider" type="range" min={0} max={run.length} step={1} value={step}
        aria-label="Step" aria-valuetext={words}
        onInput={(event) => to(Number(event.currentTarget.value))} />
      <JumpTo length={run.length} step={step} />
      <label class="transport-speed">
        Speed
        <select value={String(playback.speed.value)}
          onChange={(event) => { playback.speed.value = Number(event.currentTarget.value); }}>
          {playback.SPEEDS.map((speed) => <option key={speed} value={String(speed)}>{speed}×</option>)}
        </select>
      </label>
    </footer>
  );
}

/** The number of the step, which can be typed over. */
function JumpTo({ length, step }: { length: number; step: number }) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const number = Number(typed);
    if (typed !== null && typed.trim() !== "" && Number.isFinite(number)) {
      playback.pause();
      store.selectStep(number);
    }
    setTyped(null);
  };
  return (
    <label class="transport-jump">
      <input id="transport-number" inputMode="numeric" autocomplete="off" aria-label="Go to step"
        style={{ width: `${Math.max(4, String(length).length + 2)}ch` }} value={typed ?? String(step)}
        onInput={(event) => setTyped(event.currentTarget.value)} onBlur={go}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key === "Enter") { go(); event.currentTarget.blur(); }
          if (event.key === "Escape") { setTyped(null); event.currentTarget.blur(); }
        }} />
      <span>of {length.toLocaleString("en")}</span>
    </label>
  );
}
