import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import * as store from "../store";
import type { Message, Run } from "../trace/run";
import { shapeOf, type Json } from "../trace/value";
import { changesOf, fateText, messageText } from "./facts";
import { ValueTree } from "./ValueTree";
import { ChangeLine, Long, StepLink } from "./words";

/** All about the selected step. */
export function StepPanel() {
  const run = store.run.value;
  void store.revision.value;
  if (!run) return null;
  const number = Math.min(store.step.value, run.length);
  return (
    <aside class="panel" aria-label="Selected step">
      {number === 0 ? <Start run={run} /> : <OneStep run={run} number={number} key={run.name} />}
    </aside>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return <section class="step-section"><h3>{title}</h3>{children}</section>;
}

function Start({ run }: { run: Run }) {
  return (
    <>
      <h2>Start</h2>
      <p class="step-note">Before the first of {run.length} steps.</p>
      <Verdict run={run} number={0} />
      <SentList run={run} messages={run.sentBy[0] ?? []} title="Sent while starting" />
      <History events={run.trace.initially?.history ?? []} />
    </>
  );
}

function Verdict({ run, number }: { run: Run; number: number }) {
  const verdict = run.trace.verdict;
  if (!verdict || run.verdictStep !== number) return null;
  return (
    <p class="step-verdict">
      <strong>✗ {verdict.property} is violated here</strong>
      <Long text={verdict.why ?? ""} most={300} what="reason" />
    </p>
  );
}

function OneStep({ run, number }: { run: Run; number: number }) {
  const step = run.step(number);
  const changes = changesOf(run, number);
  const open = useSignal<ReadonlyMap<string, boolean>>(new Map());
  const payload = step.payload as Json | undefined;
  const hasTree = payload !== undefined && payload !== null && shapeOf(payload).kind !== "leaf";
  const lines = (title: string, items: string[] | undefined) => items?.length ? (
    <Section title={title}>
      <ul>{items.map((item, i) => <li key={i} class="mono"><Long text={item} /></li>)}</ul>
    </Section>
  ) : null;
  return (
    <>
      <div class="step-title">
        <h2>Step {number} of {run.length}</h2>
        <span class={`step-kind ${run.kinds.isFault(step.kind) ? "fault" : ""}`}>
          {run.kinds.isFault(step.kind) ? `⚡ ${step.kind}` : step.kind}
        </span>
      </div>
      <p class="step-label"><Long text={run.label(number)} most={300} what="step" /></p>
      <Verdict run={run} number={number} />
      {step.failure ? <p class="step-verdict"><strong>✗ The handler failed</strong><Long text={step.failure} /></p> : null}
      <Section title="What changed">
        {changes.length > 0
          ? <Changes changes={changes} />
          : <span class="step-note">{step.kind === "drop" ? "Nothing: the message is gone." : "Nothing in its state."}</span>}
      </Section>
      <SentList run={run} messages={run.sentBy[number] ?? []} title="Sent" />
      <Causes run={run} number={number} />
      {lines("Decided", step.decided)}
      {step.timers?.length ? (
        <Section title="Timers">
          <ul>{step.timers.map((timer) => (
            <li key={timer} class="mono">{timer.startsWith("-") ? `cancels ${timer.slice(1)}` : `sets ${timer.replace(/^\+/, "")}`}</li>
          ))}</ul>
        </Section>
      ) : null}
      <History events={step.history ?? []} />
      {lines("Log", step.log)}
      {lines("Scenario", step.scenario)}
      {step.lost?.length ? lines("Taken away by the scenario", step.lost.map((lost) =>
        `${lost.text || lost.type || "message"} → ${run.nodeName(lost.to ?? -1)}`)) : null}
      {hasTree ? (
        <Section title={`What it carries (${shapeName(payload)})`}>
          <ValueTree label="Payload" value={payload} open={open.value} openLevels={1}
            onToggle={(path, isOpen) => { open.value = new Map(open.value).set(path, isOpen); }} />
        </Section>
      ) : null}
      <Section title="Choice">
        <span class="step-note">
          {step.enabled ? `Number ${step.choice} (from 0) of ${step.enabled} enabled actions.` : `Number ${step.choice}, from 0.`}
          {step.choices?.length ? ` The handler chose ${step.choices.join(", ")}.` : ""}
          {step.crash_at_persist ? ` The node crashes after its persist ${step.crash_at_persist}.` : ""}
          {step.occurrence ? ` The same action came ${step.occurrence} times before.` : ""}
        </span>
      </Section>
    </>
  );
}

const shapeName = (value: Json) => {
  const shape = shapeOf(value);
  return shape.kind === "record" ? shape.type || "record" : shape.kind;
};

const MOST_CHANGES = 12;

function Changes({ changes }: { changes: ReturnType<typeof changesOf> }) {
  const all = useSignal(false);
  const shown = all.value ? changes : changes.slice(0, MOST_CHANGES);
  return (
    <>
      <ul>{shown.map((change, i) => <li key={i}><ChangeLine change={change} most={120} /></li>)}</ul>
      {changes.length > MOST_CHANGES ? (
        <button type="button" class="link" onClick={() => { all.value = !all.value; }}>
          {all.value ? "show less" : `show all ${changes.length} changes`}
        </button>
      ) : null}
    </>
  );
}

function SentList({ run, messages, title }: { run: Run; messages: Message[]; title: string }) {
  if (messages.length === 0) return null;
  return (
    <Section title={title}>
      <ul>
        {messages.map((message) => (
          <li key={message.id}>
            <span class="mono">→ {run.nodeName(message.to)} <Long text={messageText(message)} most={120} what="message" /></span>
            <br /><span class="step-note">{fateText(message)} </span>
            {message.endedAt > 0 ? <StepLink number={message.endedAt} /> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Causes({ run, number }: { run: Run; number: number }) {
  const causes = run.step(number).causes ?? [];
  if (causes.length === 0) return null;
  const taken = run.taken[number];
  const why = (cause: number) => {
    if (cause === 0) return "";
    if (taken?.sentAt === cause) return `sent ${taken.type || "it"}`;
    return run.step(cause).node === run.step(number).node ? "the same node before" : "";
  };
  return (
    <Section title="Caused by">
      <ul>{causes.map((cause) => (
        <li key={cause}>
          <StepLink number={cause} />{" "}
          <span class="step-note">{why(cause) || (cause > 0 ? run.label(cause).slice(0, 60) : "")}</span>
        </li>
      ))}</ul>
    </Section>
  );
}

function History({ events }: { events: { client: number; event: string; text?: string }[] }) {
  if (events.length === 0) return null;
  return (
    <Section title="Clients">
      <ul>{events.map((event, i) => (
        <li key={i} class="mono">
          client {event.client} {event.event === "invoke" ? "calls" : "gets"} <Long text={event.text ?? ""} />
        </li>
      ))}</ul>
    </Section>
  );
}
