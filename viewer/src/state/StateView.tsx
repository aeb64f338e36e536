import { useMemo } from "preact/hooks";
import { useKeys } from "../keys";
import { messageText } from "../panel/facts";
import { ValueTree } from "../panel/ValueTree";
import { Long, StepLink } from "../panel/words";
import * as store from "../store";
import type { Message, Run } from "../trace/run";
import { versionAt, type Part } from "../trace/states";
import { sameValue } from "../trace/value";
import { NONE, onlyChanges, openPaths, picked, toggleOpen } from "./choice";
import { changeLogOf } from "./history";
import { History } from "./History";
import "./state.css";

/** The state of every part after the selected step, what changed in it, and what is in flight. */
export function StateView() {
  const run = store.run.value;
  void store.revision.value;
  useKeys([{ keys: ["c"], what: "state: only what changed", run: () => { onlyChanges.value = !onlyChanges.value; } }]);
  if (!run) return null;
  const step = Math.min(store.step.value, run.length);
  return (
    <div class="state">
      <div class="state-bar">
        <h1>{step === 0 ? "State at the start" : `State after step ${step}`}</h1>
        <label><input type="checkbox" checked={onlyChanges.value}
          onChange={(event) => { onlyChanges.value = event.currentTarget.checked; }} /> Only what changed</label>
        {picked.value ? null : <span class="state-key">Click a value (or press Enter) to see its history.</span>}
        <span class="state-key" aria-hidden="true"><b class="k1">≠</b> changed <b class="k2">+</b> new <b class="k3">−</b> gone <b class="k1">•</b> changed inside</span>
      </div>
      <div class="state-body">
        {run.states.known ? <Parts run={run} step={step} /> : <WithoutStates run={run} step={step} />}
        <InFlight run={run} step={step} />
      </div>
      {picked.value ? <History run={run} picked={picked.value} /> : null}
    </div>
  );
}

function Parts({ run, step }: { run: Run; step: number }) {
  const changed = (part: Part) => {
    if (step === 0) return false;
    const now = versionAt(part, step);
    const was = versionAt(part, step - 1);
    return now !== was && (now.up !== was.up || !sameValue(now.tree, was.tree));
  };
  const shown = run.states.parts.filter((part) => !onlyChanges.value || changed(part));
  if (shown.length === 0) return <p class="state-none">Nothing changed in {step === 0 ? "the start" : `step ${step}`}.</p>;
  return <div class="state-parts">{shown.map((part) => <PartCard key={part.name} run={run} part={part} step={step} changed={changed(part)} />)}</div>;
}

function PartCard({ run, part, step, changed }: { run: Run; part: Part; step: number; changed: boolean }) {
  const now = versionAt(part, step);
  const was = step > 0 ? versionAt(part, step - 1) : now;
  const type = part.type || part.name;
  const title = part.node >= 0 ? `${part.component ? "" : "node "}${run.nodeName(part.node)}` : part.name;
  return (
    <section class={`state-part ${changed ? "changed" : ""} ${now.up ? "" : "down"}`} aria-label={`${title}${changed ? ", changed" : ""}`}>
      <h2>
        {changed ? <span class="state-mark" title="changed in this step">≠ </span> : null}
        {title} <span class="state-type">{part.type}</span>
        {now.up ? null : <span class="state-down">✗ down</span>}
        {now.up && !was.up ? <span class="state-up">↑ up again</span> : null}
      </h2>
      <ValueTree label={`State of ${title}`} value={now.tree} before={step > 0 ? was.tree : undefined}
        onlyChanges={onlyChanges.value} open={openPaths.value.get(type) ?? NONE}
        onToggle={(path, open) => toggleOpen(type, path, open)}
        onPick={(path) => { picked.value = { part: part.name, node: part.node, path }; }}
        picked={picked.value?.part === part.name ? picked.value.path : undefined} />
    </section>
  );
}

/** What a trace without states still tells. */
function WithoutStates({ run, step }: { run: Run; step: number }) {
  const log = changeLogOf(run);
  const nodes = run.lanes.length > 0 ? run.lanes.map((lane) => lane.node) : [-1];
  const acting = step > 0 ? run.step(step).node ?? -1 : -2;
  return (
    <>
      <p class="state-none">
        This trace was written without states; below are only the values that change at some step.
        {run.trace.source ? "" : <> Pages that <code>ordeal check … --html FILE</code> and <code>ordeal replay … --html FILE</code> write hold
          all of the state, and so does what <code>ordeal serve</code> shows.</>}
      </p>
      <div class="state-parts">
        {nodes.map((node) => {
          const values = log.values(node, step);
          const before = step > 0 ? log.values(node, step - 1) : values;
          const rows = [...values].filter(([path, text]) => !onlyChanges.value || before.get(path) !== text);
          if (onlyChanges.value && rows.length === 0) return null;
          return (
            <section key={node} class={`state-part ${node === acting ? "changed" : ""}`} aria-label={node < 0 ? "state" : `node ${run.nodeName(node)}`}>
              <h2>{node < 0 ? "state" : `node ${run.nodeName(node)}`}</h2>
              <ul class="state-values">
                {rows.map(([path, text]) => {
                  const old = before.get(path);
                  const mark = old === text ? "" : old === undefined ? "added" : "changed";
                  return (
                    <li key={path} class={`tree-row ${mark}`}>
                      <span class="tree-sign" aria-hidden="true">{mark === "" ? "" : mark === "added" ? "+" : "≠"}</span>
                      <button type="button" class="link" onClick={() => { picked.value = { part: "", node, path }; }}
                        title="Its history">{path}</button>
                      {old !== undefined && old !== text ? <del class="tree-old">{old}</del> : null}
                      <span class="tree-value" title={text}>{text}</span>
                    </li>
                  );
                })}
              </ul>
            </section>
          );
        })}
      </div>
    </>
  );
}

const MOST_MESSAGES = 60;

function flying(run: Run, step: number): Message[] {
  return run.messages.filter((message) =>
    (message.copiedAt || message.sentAt) <= step && (message.endedAt < 0 || message.endedAt > step));
}

function InFlight({ run, step }: { run: Run; step: number }) {
  const messages = useMemo(() => flying(run, step), [run, step, store.revision.value]);
  return (
    <section class="state-flight" aria-labelledby="state-flight">
      <h2 id="state-flight">In flight: {messages.length === 0 ? "nothing" : messages.length === 1 ? "1 message" : `${messages.length} messages`}</h2>
      <ul>
        {messages.slice(0, MOST_MESSAGES).map((message) => (
          <li key={message.id}>
            <span class="state-way">{message.from >= 0 ? run.nodeName(message.from) : "outside"} → {run.nodeName(message.to)}</span>
            <span class="mono"><Long text={messageText(message)} most={110} what="message" /></span>
            <span class="state-since">
              since <StepLink number={message.sentAt} />{message.copiedAt > 0 ? <> (a copy of <StepLink number={message.copiedAt} />)</> : null}
              {message.endedAt > 0 ? <>, {message.fate} in <StepLink number={message.endedAt} /></> : ", to the end"}
            </span>
          </li>
        ))}
      </ul>
      {messages.length > MOST_MESSAGES ? <p class="state-none">… and {messages.length - MOST_MESSAGES} more.</p> : null}
    </section>
  );
}
