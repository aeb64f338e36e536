import { useState } from "preact/hooks";
import { api, suite, wordsOf, type JobOptions } from "../api";
import { addressOfChoice, choice, mistakeIn } from "./choice";
import { follow } from "./jobs";
import { SubjectForm } from "./SubjectForm";
import type { Parameter } from "./read";

interface Bound {
  name: keyof JobOptions;
  label: string;
  what: string;
}

const BOUNDS: Bound[] = [
  { name: "max_seconds", label: "Seconds", what: "stop after this time" },
  { name: "max_depth", label: "Depth", what: "go no deeper than so many steps" },
  { name: "max_states", label: "States", what: "stop after so many distinct states" },
  { name: "max_steps", label: "Steps", what: "stop after so many steps of all runs (strategies by runs)" },
  { name: "max_runs", label: "Runs", what: "stop after so many runs (strategies by runs)" },
  { name: "seed", label: "Seed", what: "of everything random" },
];

function StrategyField({ id, value, set }: { id: string; value: string; set: (name: string) => void }) {
  const strategies = suite.value?.strategies ?? [];
  return (
    <div class="field">
      <label for={id}>Strategy</label>
      <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">the usual one</option>
        {strategies.map((one) => <option value={one.name} key={one.name}>{one.name}</option>)}
      </select>
      <span class="what">{strategies.find((one) => one.name === value)?.what ?? "what fits the subject or scenario"}</span>
    </div>
  );
}

/** The options that the strategy has for itself. */
function SettingFields({ prefix, strategy, typed, set }: {
  prefix: string; strategy: string; typed: Record<string, string>; set: (typed: Record<string, string>) => void;
}) {
  const options = suite.value?.strategies.find((one) => one.name === strategy)?.options ?? [];
  return (
    <>
      {options.map((option) => {
        const id = `${prefix}-s-${option.name}`;
        const value = typed[option.name] ?? "";
        const words = option.kind === "flag" ? ["no", "yes"] : option.words;
        const mistake = value === "" ? "" : mistakeIn(option, value);
        const common = { id, value, "aria-describedby": `${id}-what` };
        const change = (text: string) => set({ ...typed, [option.name]: text });
        return (
          <div class="field" key={option.name}>
            <label for={id}>{option.name.replaceAll("_", " ")}</label>
            {words.length > 0 ? (
              <select {...common} onChange={(event) => change(event.currentTarget.value)}>
                <option value="">{option.default || "the usual one"}</option>
                {words.filter((word) => word !== option.default).map((word) => <option value={word} key={word}>{word}</option>)}
              </select>
            ) : (
              <input {...common} inputMode="decimal" placeholder={option.default || "the usual one"} autocomplete="off"
                aria-invalid={mistake !== ""} onInput={(event) => change(event.currentTarget.value)} />
            )}
            <span class="what" id={`${id}-what`}>{option.what}{mistake ? <b class="wrong"> {mistake}</b> : null}</span>
          </div>
        );
      })}
    </>
  );
}

/** The options of a strategy that were typed, as the server takes them. */
export function settingsOf(options: Parameter[], typed: Record<string, string>): JobOptions {
  const settings: JobOptions = {};
  for (const { name, kind } of options) {
    const text = (typed[name] ?? "").trim();
    if (text === "") continue;
    settings[name] = kind === "number" || kind === "real" ? Number(text) : kind === "flag" ? text === "yes" : text;
  }
  return settings;
}

function chosenSettings(strategy: string, typed: Record<string, string>): JobOptions {
  if (!strategy) return {};
  const options = suite.value?.strategies.find((one) => one.name === strategy)?.options ?? [];
  return { strategy, ...settingsOf(options, typed) };
}

function NumberField({ id, label, what, value, set }: {
  id: string; label: string; what: string; value: string; set: (text: string) => void;
}) {
  const wrong = value !== "" && !/^\d+(\.\d+)?$/.test(value.trim());
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} inputMode="decimal" value={value} placeholder="no bound" autocomplete="off" aria-invalid={wrong}
        aria-describedby={`${id}-what`} onInput={(event) => set(event.currentTarget.value)} />
      <span class="what" id={`${id}-what`}>{what}{wrong ? <b class="wrong"> expected a number</b> : null}</span>
    </div>
  );
}

/** What was typed, as options; a field that is empty is left out. */
export function optionsOf(typed: Record<string, string>): JobOptions {
  const options: Record<string, number> = {};
  for (const [name, text] of Object.entries(typed)) {
    if (text.trim() !== "") options[name] = Number(text);
  }
  return options as JobOptions;
}

function useStart(): { trouble: string; busy: boolean; start: (work: () => Promise<string>) => void } {
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const start = (work: () => Promise<string>) => {
    setBusy(true);
    setTrouble("");
    work().then(follow).catch((error: unknown) => setTrouble(wordsOf(error))).finally(() => setBusy(false));
  };
  return { trouble, busy, start };
}

/** Starts a check of the chosen subject. */
export function CheckForm() {
  const [strategy, setStrategy] = useState("");
  const [settings, setSettings] = useState<Record<string, string>>({});
  const [typed, setTyped] = useState<Record<string, string>>({ max_seconds: "60", seed: "0" });
  const [keepGoing, setKeepGoing] = useState(false);
  const [symmetry, setSymmetry] = useState(false);
  const [coverage, setCoverage] = useState(false);
  const [reduce, setReduce] = useState("none");
  const { trouble, busy, start } = useStart();
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const options = { ...optionsOf(typed), ...chosenSettings(strategy, settings) };
    if (keepGoing) options.keep_going = true;
    if (symmetry) options.symmetry = true;
    if (coverage) options.require_coverage = true;
    if (reduce !== "none") options.reduce = reduce;
    start(() => api.check(addressOfChoice(choice.value), options));
  };
  return (
    <form aria-label="Start a check" onSubmit={onSubmit}>
      <SubjectForm prefix="explore" />
      <StrategyField id="explore-strategy" value={strategy} set={setStrategy} />
      <SettingFields prefix="explore" strategy={strategy} typed={settings} set={setSettings} />
      <details>
        <summary>Bounds and options</summary>
        {BOUNDS.map((bound) => (
          <NumberField key={bound.name} id={`explore-${bound.name}`} label={bound.label} what={bound.what}
            value={typed[bound.name] ?? ""} set={(text) => setTyped({ ...typed, [bound.name]: text })} />
        ))}
        <div class="field">
          <label for="explore-reduce">Reduction</label>
          <select id="explore-reduce" value={reduce} onChange={(event) => setReduce(event.currentTarget.value)}>
            <option value="none">none</option><option value="sleep">sleep sets</option>
          </select>
          <span class="what">leave out actions whose effect is seen on another way</span>
        </div>
        <p class="actions">
          <label><input type="checkbox" checked={keepGoing}
            onChange={(event) => setKeepGoing(event.currentTarget.checked)} /> go on after a violation</label>
          <label><input type="checkbox" checked={symmetry}
            onChange={(event) => setSymmetry(event.currentTarget.checked)} /> symmetry of like nodes</label>
          <label><input type="checkbox" checked={coverage}
            onChange={(event) => setCoverage(event.currentTarget.checked)} /> fail where something never occurs</label>
        </p>
      </details>
      {trouble ? <p class="wrong" role="alert">✗ {trouble}</p> : null}
      <p class="actions"><button class="primary" type="submit" disabled={busy || !suite.value}>Start the check</button></p>
    </form>
  );
}

/** Starts scenarios: all, those of a subject, or some. */
export function ScenariosForm() {
  const [subject, setSubject] = useState("");
  const [names, setNames] = useState<string[]>([]);
  const [bug, setBug] = useState("");
  const [strategy, setStrategy] = useState("");
  const [settings, setSettings] = useState<Record<string, string>>({});
  const [typed, setTyped] = useState<Record<string, string>>({ seed: "0" });
  const { trouble, busy, start } = useStart();
  const all = suite.value?.scenarios ?? [];
  const shown = all.filter((one) => !subject || one.subject === subject);
  const bugs = suite.value?.subjects.find((one) => one.name === subject)?.bugs ?? [];
  const picked = names.length > 0 ? names : subject ? shown.map((one) => one.name) : ["all"];
  const onSubmit = (event: Event) => {
    event.preventDefault();
    start(() => api.scenarios(picked, { ...optionsOf(typed), ...chosenSettings(strategy, settings), ...(bug ? { bug } : {}) }));
  };
  const count = names.length > 0 ? names.length : shown.length;
  return (
    <form aria-label="Start scenarios" onSubmit={onSubmit}>
      <div class="field">
        <label for="scenarios-subject">Subject</label>
        <select id="scenarios-subject" value={subject}
          onChange={(event) => { setSubject(event.currentTarget.value); setNames([]); setBug(""); }}>
          <option value="">all subjects</option>
          {(suite.value?.subjects ?? []).filter((one) => all.some((scenario) => scenario.subject === one.name))
            .map((one) => <option value={one.name} key={one.name}>{one.name}</option>)}
        </select>
        <span class="what">{count} of {all.length} scenarios</span>
      </div>
      <label for="scenarios-names" class="what">Some of them only (Ctrl to choose more than one):</label>
      <select id="scenarios-names" class="long" multiple size={6}
        onChange={(event) => setNames([...event.currentTarget.selectedOptions].map((option) => option.value))}>
        {shown.map((one) => (
          <option value={one.name} key={one.name} selected={names.includes(one.name)} title={one.what}>{one.name}</option>
        ))}
      </select>
      <div class="field">
        <label for="scenarios-bug">Planted bug</label>
        <select id="scenarios-bug" value={bug} disabled={!subject} onChange={(event) => setBug(event.currentTarget.value)}>
          <option value="">none: the correct form</option>
          {bugs.map((one) => <option value={one.name} key={one.name}>{one.name}</option>)}
        </select>
        <span class="what">{subject ? bugs.find((one) => one.name === bug)?.what : "choose a subject to have its bugs"}</span>
      </div>
      <StrategyField id="scenarios-strategy" value={strategy} set={setStrategy} />
      <SettingFields prefix="scenarios" strategy={strategy} typed={settings} set={setSettings} />
      <NumberField id="scenarios-iterations" label="Runs" what="of each; empty: as the scenario says"
        value={typed.iterations ?? ""} set={(text) => setTyped({ ...typed, iterations: text })} />
      <NumberField id="scenarios-seed" label="Seed" what="of everything random"
        value={typed.seed ?? ""} set={(text) => setTyped({ ...typed, seed: text })} />
      {trouble ? <p class="wrong" role="alert">✗ {trouble}</p> : null}
      <p class="actions">
        <button class="primary" type="submit" disabled={busy || count === 0}>Run {count} {count === 1 ? "scenario" : "scenarios"}</button>
      </p>
    </form>
  );
}
