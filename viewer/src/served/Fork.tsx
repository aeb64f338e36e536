import { useEffect, useRef, useState } from "preact/hooks";
import { api, isAbort, suite, wordsOf } from "../api";
import { useKeys } from "../keys";
import { addressOf, printLink, replayCommand } from "../links";
import * as store from "../store";
import type { Run } from "../trace/run";
import { CopyButton } from "../ui/CopyButton";
import { fileName, saveText } from "./files";
import { branchOf, changes, show, stays, undo, type Branch } from "./forks";
import { ForkActions } from "./ForkActions";
import { ForkTree } from "./ForkTree";
import { isDefaultOf } from "./linking";
import { Verdicts } from "./Verdicts";
import { hereAt, knownHere, outcome, runOn, search, take, takeRandom } from "./walking";
import type { Here } from "./read";
import "./served.css";
import "./fork.css";

/** What is possible at a step. While the next answer is awaited there is none. */
function useHere(run: Run, step: number): { here: Here | null; trouble: string } {
  const address = addressOf(run.trace, step);
  const key = JSON.stringify(address);
  const [state, setState] = useState<{ key: string; here: Here | null; trouble: string }>({ key: "", here: null, trouble: "" });
  useEffect(() => {
    if (!address || knownHere(address)) return;
    const abort = new AbortController();
    // Who plays a run passes many steps; only where it rests somebody asks.
    const timer = setTimeout(() => {
      hereAt(address, abort.signal)
        .then((here) => setState({ key, here, trouble: "" }))
        .catch((error: unknown) => { if (!isAbort(error)) setState({ key, here: null, trouble: wordsOf(error) }); });
    }, 60);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  const known = address ? knownHere(address) : null;
  if (known) return { here: known, trouble: "" };
  return state.key === key ? state : { here: null, trouble: "" };
}

function OnWith({ branch, step, attempt }: { branch: Branch; step: number; attempt: (work: () => Promise<unknown>) => void }) {
  const [strategy, setStrategy] = useState("random");
  const [seconds, setSeconds] = useState("10");
  const strategies = suite.value?.strategies ?? [];
  const running = search.value;
  if (running) {
    const { point } = running;
    return (
      <span class="fork-tools" role="group" aria-label="Search from here">
        <span>searching with {running.what}
          {point ? `: ${point.distinct || point.states} states, ${point.runs} runs, ${point.seconds.toFixed(1)} s` : " …"}</span>
        <button type="button" onClick={() => attempt(() => api.stopJob(running.id))}>Stop the search</button>
      </span>
    );
  }
  return (
    <form class="fork-tools" aria-label="Search from here" onSubmit={(event) => {
      event.preventDefault();
      attempt(() => runOn(branch, step, strategy, Math.max(0.1, Number(seconds) || 10)));
    }}>
      <button type="submit">Run on with</button>
      <select aria-label="Strategy" value={strategy} onChange={(event) => setStrategy(event.currentTarget.value)}
        title={strategies.find((one) => one.name === strategy)?.what}>
        {strategies.map((one) => <option value={one.name} key={one.name}>{one.name}</option>)}
      </select>
      <label>for <input class="short" inputMode="decimal" value={seconds} aria-label="Seconds"
        onInput={(event) => setSeconds(event.currentTarget.value)} /> s</label>
    </form>
  );
}

function Share({ branch, step }: { branch: Branch; step: number }) {
  const { run } = branch;
  const isDefault = isDefaultOf(run.trace.system);
  const address = addressOf(run.trace);
  const file = fileName(`${run.trace.system}-${run.name}`);
  const save = () => {
    saveText(file, JSON.stringify(run.trace, null, 1));
    store.notice.value = "trace saved";
  };
  // A short form alone does not say that any fault may happen; the file does.
  const command = () => address && (address.free_faults ? `ordeal replay ${file}` : replayCommand(address, isDefault));
  const link = () => address &&
    location.href.replace(/#.*$/, "") + printLink({ address, view: "fork", step }, isDefault);
  return (
    <div class="fork-tools" role="group" aria-label="This branch">
      <span class="what">This branch:</span>
      <button type="button" onClick={save}>Save trace</button>
      <CopyButton label="Copy command" text={command}
        title={address?.free_faults ? "How a terminal replays the saved trace" : "How a terminal runs it again"} />
      <CopyButton label="Copy branch link" text={link} />
      <span class="what">open in</span>
      {(["diagram", "ring", "state"] as const).map((view) => (
        <button type="button" key={view} aria-label={`Open in ${view}`}
          onClick={() => { store.view.value = view; }}>{view}</button>
      ))}
    </div>
  );
}

function Forking({ run }: { run: Run }) {
  const step = store.step.value;
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [count, setCount] = useState("10");
  void changes.value;
  const branch = branchOf(run);
  const { here, trouble: refused } = useHere(run, step);
  const attempt = (work: () => Promise<unknown>) => {
    setBusy(true);
    setTrouble("");
    outcome.value = "";
    work().catch((error: unknown) => setTrouble(wordsOf(error))).finally(() => setBusy(false));
  };
  const why = stays(branch);
  const takeBack = () => {
    if (why) return;
    const left = undo(branch);
    show(left, left === branch ? left.run.length : branch.at);
  };
  const going = useRef(false);
  const random = (times: number) => attempt(async () => {
    going.current = true;
    try {
      outcome.value = await takeRandom(branch, step, times, Math.random, () => going.current);
      store.notice.value = outcome.value;
    } finally {
      going.current = false;
    }
  });
  useKeys([
    { keys: ["a"], what: "to the actions that are possible", run: () => document.getElementById("fork-list")?.focus() },
    { keys: ["b"], what: "to the branches", run: () => document.getElementById(`fork-branch-${branch.id}`)?.focus() },
    { keys: ["u"], what: "take the last step back", run: takeBack },
    { keys: ["r"], what: "a random step", run: () => { if (!busy) random(1); } },
  ], [branch, step, busy, why]);
  return (
    <div class="served fork">
      <div class="fork-bar">
        <div class="fork-tools" role="group" aria-label="Walk">
          <button type="button" disabled={why !== ""} title={why || "the last step of this branch is forgotten (u)"}
            onClick={takeBack}>Undo last step</button>
          <span class="fork-pair">
            {busy && going.current ? (
              <button type="button" onClick={() => { going.current = false; }}>Stop walking</button>
            ) : (
              <button type="button" disabled={busy || here?.actions.length === 0}
                onClick={() => random(Math.max(1, Math.min(1000, Math.round(Number(count)) || 1)))}>Random steps</button>
            )}
            <input class="short" inputMode="numeric" aria-label="How many random steps" value={count}
              onInput={(event) => setCount(event.currentTarget.value)} />
          </span>
        </div>
        <OnWith branch={branch} step={step} attempt={attempt} />
        <Share branch={branch} step={step} />
      </div>
      {trouble || refused ? <p class="wrong" role="alert">✗ {trouble || refused}</p> : null}
      {outcome.value ? <p class={`fork-outcome ${outcome.value.startsWith("✗") ? "bad" : ""}`}>{outcome.value}</p> : null}
      <div class="fork-main">
        <ForkActions run={run} branch={branch} step={step} here={here} busy={busy || !here}
          take={(choice) => attempt(() => take(branch, step, choice))} />
        <div class="column">
          <section class="card" aria-labelledby="fork-verdicts-title">
            <h2 id="fork-verdicts-title">Properties {step === 0 ? "at the start" : `after step ${step}`}</h2>
            {here ? <Verdicts verdicts={here.verdicts} ended={here.terminal} /> : <p class="what">…</p>}
          </section>
          <ForkTree current={branch} step={step} />
        </div>
      </div>
    </div>
  );
}

/** Another way to go on from the selected step, in the engine. */
export function Fork() {
  const run = store.run.value;
  if (!run) return null;
  if (run.trace.source) {
    return (
      <p class="pad">This run was imported from {run.trace.source}: it can be looked at, but there is no
        program that could go another way.</p>
    );
  }
  return <Forking run={run} key={rootKey(run)} />;
}

// One component per tree: what is typed stays while one walks between branches.
function rootKey(run: Run): number {
  let branch = branchOf(run);
  while (branch.parent) branch = branch.parent;
  return branch.id;
}
