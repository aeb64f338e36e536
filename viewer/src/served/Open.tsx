import { useRef, useState } from "preact/hooks";
import { api, suite, wordsOf } from "../api";
import * as store from "../store";
import { Run } from "../trace/run";
import { addressOfChoice, choice } from "./choice";
import { runsOfFile, type ImportOptions } from "./files";
import { markGrown } from "./forks";
import { nameOf } from "./linking";
import { SubjectForm } from "./SubjectForm";
import type { Address } from "./read";
import "./served.css";

/** Fetches a run and shows it: at its start where one goes on by hand. */
async function openRun(address: Address): Promise<void> {
  const { trace } = await api.run(address);
  const run = new Run(trace, nameOf(address), trace.verdict ? "violation" : "run");
  markGrown(run);
  store.addRun(run, run.length);
  store.view.value = "fork";
}

function useTrouble(): [string, (work: () => Promise<void>) => void, boolean] {
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const attempt = (work: () => Promise<void>) => {
    setBusy(true);
    setTrouble("");
    work().catch((error: unknown) => setTrouble(wordsOf(error))).finally(() => setBusy(false));
  };
  return [trouble, attempt, busy];
}

const Trouble = ({ what }: { what: string }) => (what ? <p class="wrong" role="alert">✗ {what}</p> : null);

function FromSubject() {
  const [short, setShort] = useState("");
  const [trouble, attempt, busy] = useTrouble();
  const start = (event: Event) => {
    event.preventDefault();
    attempt(() => openRun({ ...addressOfChoice(choice.value), short: short.trim() }));
  };
  return (
    <form class="card" aria-labelledby="open-subject-title" onSubmit={start}>
      <h2 id="open-subject-title">A subject</h2>
      <p class="lead">Start it, and decide step by step what happens next.</p>
      <SubjectForm prefix="open" open />
      <div class="field">
        <label for="open-short">Short form</label>
        <input id="open-short" class="mono" type="text" value={short} placeholder="0.1.3.2" autocomplete="off"
          aria-describedby="open-short-what" onInput={(event) => setShort(event.currentTarget.value)} />
        <span class="what" id="open-short-what">of a run to begin at the end of; empty: at the start</span>
      </div>
      <Trouble what={trouble} />
      <p class="actions go"><button class="primary" type="submit" disabled={busy || !suite.value}>Start</button></p>
    </form>
  );
}

function FromScenario() {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [bug, setBug] = useState("");
  const [trouble, attempt, busy] = useTrouble();
  const all = suite.value?.scenarios ?? [];
  const found = all.filter((one) => `${one.name} ${one.subject} ${one.what}`.toLowerCase().includes(text.toLowerCase()));
  const scenario = all.find((one) => one.name === name);
  const subject = suite.value?.subjects.find((one) => one.name === scenario?.subject);
  const start = (event: Event) => {
    event.preventDefault();
    if (!scenario) return;
    const parameters = { ...scenario.parameters, ...(bug ? { bug } : {}) };
    attempt(() => openRun({ system: scenario.subject, parameters, scenario: scenario.name, short: "" }));
  };
  return (
    <form class="card" aria-labelledby="open-scenario" onSubmit={start}>
      <h2 id="open-scenario">A scenario</h2>
      <p class="lead">A subject under filters that say what happens to messages and nodes.</p>
      <div class="field">
        <label for="open-filter">Search</label>
        <input id="open-filter" type="search" value={text} placeholder="name, subject or words"
          onInput={(event) => setText(event.currentTarget.value)} />
        <span class="what">{found.length} of {all.length}</span>
      </div>
      <select class="long" size={7} aria-label="Scenarios" value={name}
        onChange={(event) => { setName(event.currentTarget.value); setBug(""); }}>
        {found.map((one) => (
          <option value={one.name} key={one.name} title={one.what}>{one.name} — {one.subject}</option>
        ))}
      </select>
      {scenario ? <p class="what">{scenario.what}</p> : null}
      {scenario ? (
        <div class="field">
          <label for="open-scenario-bug">Planted bug</label>
          <select id="open-scenario-bug" value={bug} onChange={(event) => setBug(event.currentTarget.value)}>
            <option value="">none: the correct form</option>
            {(subject?.bugs ?? []).map((one) => (
              <option value={one.name} key={one.name}>
                {one.name}{scenario.catches === one.name ? " (this scenario catches it)" : ""}
              </option>
            ))}
          </select>
          <span class="what">{subject?.bugs.find((one) => one.name === bug)?.what}</span>
        </div>
      ) : null}
      <Trouble what={trouble} />
      <p class="actions"><button class="primary" type="submit" disabled={busy || !scenario}>Start</button></p>
    </form>
  );
}

interface FileNews {
  name: string;
  error: string;
}

function FromFiles() {
  const [news, setNews] = useState<FileNews[]>([]);
  const [over, setOver] = useState(false);
  const [options, setOptions] = useState<ImportOptions>({ format: "auto", parser: "" });
  const input = useRef<HTMLInputElement>(null);
  const served = store.served.value;
  const open = async (files: File[]) => {
    const told: FileNews[] = [];
    for (const file of files) {
      try {
        const runs = await runsOfFile(file.name, await file.text(), options);
        if (runs.ok) for (const run of runs.value) store.addRun(run);
        told.push({ name: file.name, error: runs.ok ? "" : runs.error });
      } catch (error) {
        told.push({ name: file.name, error: wordsOf(error) });
      }
    }
    setNews(told);
    if (input.current) input.current.value = "";
    if (told.length > 0 && told.every((one) => one.error === "")) {
      store.notice.value = `opened ${told.map((one) => one.name).join(", ")}`;
      store.view.value = store.run.value?.violated ? "overview" : "diagram";
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void open([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <section class={`card drop ${over ? "over" : ""}`} aria-labelledby="open-files"
      onDragOver={(event) => { event.preventDefault(); setOver(true); }}
      onDragLeave={() => setOver(false)} onDrop={onDrop}>
      <h2 id="open-files">Files</h2>
      <p class="lead">
        Traces and reports (<code>--trace</code>, <code>--json</code>)
        {served ? "; logs of ShiViz and of Maelstrom." : ". Logs of other tools are read by "}
        {served ? null : <><code>ordeal trace import</code> and by a page of <code>ordeal serve</code>.</>}
      </p>
      <div class="field">
        <label for="open-file">Open files</label>
        <input id="open-file" type="file" multiple ref={input}
          onChange={(event) => void open([...(event.currentTarget.files ?? [])])} />
        <span class="what">or drop them here</span>
      </div>
      {served ? (
        <details>
          <summary>Logs of other tools</summary>
          <div class="field">
            <label for="open-format">Format</label>
            <select id="open-format" value={options.format}
              onChange={(event) => setOptions({ ...options, format: event.currentTarget.value as ImportOptions["format"] })}>
              <option value="auto">by what is in it</option>
              <option value="shiviz">ShiViz</option>
              <option value="maelstrom">Maelstrom</option>
            </select>
          </div>
          <div class="field">
            <label for="open-parser">Parser</label>
            <input id="open-parser" class="mono" type="text" value={options.parser} autocomplete="off"
              aria-describedby="open-parser-what"
              onInput={(event) => setOptions({ ...options, parser: event.currentTarget.value })} />
            <span class="what" id="open-parser-what">of a ShiViz log: its regular expression; empty: the usual one</span>
          </div>
        </details>
      ) : null}
      <div role="alert">
        {news.filter((one) => one.error).map((one) => (
          <p class="wrong" key={one.name}>✗ <b>{one.name}</b>: {one.error}</p>
        ))}
      </div>
    </section>
  );
}

/** Where runs come from: subjects, scenarios, files. */
export function Open() {
  return (
    <div class={`served open ${store.served.value ? "" : "alone"}`}>
      {store.served.value ? <FromSubject /> : null}
      <div class="column">
        {store.served.value ? <FromScenario /> : null}
        <FromFiles />
      </div>
    </div>
  );
}
