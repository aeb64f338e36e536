import { useEffect, useState } from "preact/hooks";
import { api, suite, wordsOf } from "../api";
import { Diagram } from "../diagram/Diagram";
import * as store from "../store";
import { addressOfChoice, choice } from "./choice";
import { fileName, saveText } from "./files";
import { following, leave, over, session, start, status, stop, watch, type Session } from "./live";
import { LiveCommands, LiveLinks, LiveNodes } from "./LiveControls";
import { SubjectForm } from "./SubjectForm";
import { Verdicts } from "./Verdicts";
import "./served.css";
import "./live.css";

const FIELDS = [
  { name: "unit", label: "Unit of time", what: "ms: how long a timer of one unit takes" },
  { name: "low", label: "Latency from", what: "ms: a message takes at least so long" },
  { name: "high", label: "Latency to", what: "ms: and at most so long" },
  { name: "seed", label: "Seed", what: "of latencies and of what nodes draw" },
] as const;

/** Runs that are there already: started from another page, or before this one was loaded again. */
function Others() {
  const [others, setOthers] = useState<{ id: string; what: string; running: boolean }[]>([]);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    api.lives().then(setOthers).catch(() => undefined); // the banner tells that the server is gone
  }, []);
  if (others.length === 0) return null;
  return (
    <section class="card live-start" aria-labelledby="live-others-title">
      <h2 id="live-others-title">Live runs on this server</h2>
      <ul class="jobs">
        {others.map((one) => (
          <li class="live-line" key={one.id}>
            <span class={`tag ${one.running ? "info" : "dull"}`}>{one.running ? "▸ live" : "■ over"}</span>
            <span class="mono">{one.what}</span>
            <button type="button" aria-label={`Watch ${one.what}`} onClick={() =>
              void watch(one.id, `live ${one.what}`).catch((error: unknown) => setTrouble(wordsOf(error)))}>Watch</button>
          </li>
        ))}
      </ul>
      {trouble ? <p class="wrong" role="alert">✗ {trouble}</p> : null}
    </section>
  );
}

function StartForm() {
  const [typed, setTyped] = useState<Record<string, string>>({ unit: "100", low: "20", high: "60", seed: "0" });
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [hold, setHold] = useState(false);
  const number = (name: string) => Number(typed[name]);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const wrong = FIELDS.find(({ name }) => !/^\d+(\.\d+)?$/.test((typed[name] ?? "").trim()));
    if (wrong) {
      setTrouble(`${wrong.label}: found '${typed[wrong.name]}'; expected a number`);
      return;
    }
    setBusy(true);
    setTrouble("");
    const address = addressOfChoice(choice.value);
    start(address.system, address.parameters, {
      unit_ms: number("unit"), latency_ms: [number("low"), number("high")], seed: number("seed"), hold_requests: hold,
    }).catch((error: unknown) => setTrouble(wordsOf(error))).finally(() => setBusy(false));
  };
  return (
    <form class="card live-start" aria-labelledby="live-start-title" onSubmit={onSubmit}>
      <h2 id="live-start-title">Run it live</h2>
      <p class="lead">The same nodes in real time, side by side. Pause, crash and restart them, send requests, break
        links; the recording can be replayed in the simulator.</p>
      <SubjectForm prefix="live" />
      {FIELDS.map(({ name, label, what }) => (
        <div class="field" key={name}>
          <label for={`live-${name}`}>{label}</label>
          <input id={`live-${name}`} inputMode="decimal" autocomplete="off" value={typed[name] ?? ""}
            aria-describedby={`live-${name}-what`}
            onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })} />
          <span class="what" id={`live-${name}-what`}>{what}</span>
        </div>
      ))}
      <p class="actions"><label><input type="checkbox" checked={hold}
        onChange={(event) => setHold(event.currentTarget.checked)} /> requests wait until somebody sends them</label></p>
      {trouble ? <p class="wrong" role="alert">✗ {trouble}</p> : null}
      <p class="actions"><button class="primary" type="submit" disabled={busy || !suite.value}>Start the nodes</button></p>
    </form>
  );
}

function Header({ current }: { current: Session }) {
  const [trouble, setTrouble] = useState("");
  const { run } = current;
  const told = status.value;
  const running = over.value === "";
  const attempt = (work: () => Promise<unknown>) => {
    setTrouble("");
    work().catch((error: unknown) => setTrouble(wordsOf(error)));
  };
  const save = () => attempt(async () => {
    const { trace } = await api.liveSoFar(current.id);
    saveText(fileName(run.name), JSON.stringify(trace, null, 1));
    store.notice.value = "recording saved";
  });
  const shown = store.run.value === run;
  return (
    <header class="live-bar">
      <span class={`tag ${running ? "info" : "dull"}`}>{running ? "▸ live" : "■ over"}</span>
      <b>{run.name}</b>
      {running && told?.quiet ? <span class="tag warn" title="nothing is under way; send a request, or disturb a node">○ quiet</span> : null}
      <span class="what numbers">{(told?.seconds ?? 0).toFixed(1)} s · {run.length} steps{running ? "" : ` · ${over.value}`}</span>
      <span class="spring" />
      {shown ? (
        <label><input type="checkbox" checked={following.value}
          onChange={(event) => {
            following.value = event.currentTarget.checked;
            if (following.value) store.selectStep(run.length);
          }} /> follow the newest step</label>
      ) : (
        <button type="button" onClick={() => store.selectRun(store.runs.value.indexOf(run), run.length)}>Show the live run</button>
      )}
      <button type="button" onClick={save}>Save recording</button>
      {(["diagram", "ring", "state"] as const).map((view) => (
        <button type="button" key={view} aria-label={`Open in ${view}`} disabled={!shown}
          onClick={() => { store.view.value = view; }}>{view}</button>
      ))}
      {running ? <button type="button" onClick={() => attempt(stop)}>Stop</button>
        : <button type="button" onClick={leave}>Another run</button>}
      {trouble ? <p class="wrong" role="alert">✗ {trouble}</p> : null}
    </header>
  );
}

function Running({ current }: { current: Session }) {
  void store.revision.value;
  const told = status.value;
  const running = over.value === "";
  const violated = current.run.trace.verdict;
  return (
    <div class="served live">
      <Header current={current} />
      {violated ? (
        <p class="live-violation" role="alert"><b>✗ violated: {violated.property}</b>
          {violated.step ? ` after step ${violated.step}` : ""}{violated.why ? `: ${violated.why}` : ""}</p>
      ) : null}
      <div class="live-main">
        <div class="live-side">
          {told ? <LiveNodes told={told} active={running} /> : <p>…</p>}
          {told ? <LiveLinks told={told} active={running} /> : null}
          {told && told.verdicts.length > 0 ? (
            <section aria-labelledby="live-verdicts-title">
              <h2 id="live-verdicts-title">Properties</h2><Verdicts verdicts={told.verdicts} />
            </section>
          ) : null}
        </div>
        <div class="live-right">
          <div class="live-diagram">
            {store.run.value === current.run ? <Diagram /> : <p class="pad what">Another run is shown now.</p>}
          </div>
          <LiveCommands active={running} />
        </div>
      </div>
    </div>
  );
}

/** Nodes that run in real time. */
export function Live() {
  const current = session.value;
  return current ? <Running current={current} /> : <div class="served column"><StartForm /><Others /></div>;
}
