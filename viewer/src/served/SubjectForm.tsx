import { suite } from "../api";
import * as store from "../store";
import * as made from "./choice";
import type { Parameter } from "./read";
import "./served.css";

function Field({ parameter, prefix }: { parameter: Parameter; prefix: string }) {
  const { name } = parameter;
  const id = `${prefix}-p-${name}`;
  const value = made.choice.value.values[name] ?? parameter.default;
  const changed = name in made.choice.value.values;
  const mistake = made.mistakeIn(parameter, value);
  const set = (text: string) => made.chooseValue(name, text);
  const common = { id, "aria-describedby": `${id}-what` };
  let input;
  if (parameter.kind === "flag" || parameter.words.length > 0) {
    const words = parameter.words.length > 0 ? parameter.words : ["no", "yes"];
    const known = words.includes(value) ? words : [value, ...words];
    input = (
      <select {...common} value={value} onChange={(event) => set(event.currentTarget.value)}>
        {known.map((word) => <option value={word} key={word}>{word === "" ? "—" : word}</option>)}
      </select>
    );
  } else {
    input = (
      <input {...common} type="text" value={value} aria-invalid={mistake !== ""}
        inputMode={parameter.kind === "number" ? "numeric" : "text"} placeholder="default"
        autocomplete="off" onInput={(event) => set(event.currentTarget.value)} />
    );
  }
  const range = parameter.words.length > 0 || parameter.kind === "nodes" ? "" : made.rangeOf(parameter);
  return (
    <div class={`field ${changed ? "changed" : ""}`}>
      <label for={id}>{name}</label>
      {input}
      <span class="what" id={`${id}-what`}>
        {parameter.what}{range ? ` (${range})` : ""}
        {changed ? <b> changed{parameter.default ? `, default ${parameter.default}` : ""}</b> : null}
        {mistake ? <b class="wrong"> {mistake}</b> : null}
      </span>
    </div>
  );
}

/** Takes over the subject and the parameters of the run that is shown. */
function LikeTheRun() {
  const trace = store.run.value?.trace;
  if (!trace || trace.source || !suite.value?.subjects.some((one) => one.name === trace.system)) return null;
  return (
    <p class="actions">
      <button type="button" onClick={() => made.chooseLike(trace.system, trace.parameters ?? {})}>As the run that is shown</button>
      <span class="what">{trace.system}, with its parameters</span>
    </p>
  );
}

/** Which subject, with which parameters, with which planted bug. */
export function SubjectForm({ prefix, open = false }: { prefix: string; open?: boolean }) {
  const known = suite.value;
  if (!known) return <p>Asking the server what there is…</p>;
  const { choice, subject } = made;
  const bug = subject.value?.bugs.find((one) => one.name === choice.value.bug);
  const changes = Object.keys(choice.value.values).length;
  return (
    <div class="subject-form">
      <LikeTheRun />
      <div class="field">
        <label for={`${prefix}-subject`}>Subject</label>
        <select id={`${prefix}-subject`} value={choice.value.system}
          onChange={(event) => made.chooseSubject(event.currentTarget.value)}>
          {known.subjects.map((one) => <option value={one.name} key={one.name}>{one.name}</option>)}
        </select>
        <span class="what">{subject.value?.what}</span>
      </div>
      <div class="field">
        <label for={`${prefix}-bug`}>Planted bug</label>
        <select id={`${prefix}-bug`} value={choice.value.bug}
          onChange={(event) => made.chooseBug(event.currentTarget.value)}>
          <option value="">none: the correct form</option>
          {subject.value?.bugs.map((one) => <option value={one.name} key={one.name}>{one.name}</option>)}
        </select>
        <span class="what">{bug?.what}</span>
      </div>
      <details open={open}>
        <summary>Parameters{changes > 0 ? ` (${changes} changed)` : ""}</summary>
        <div class="fields">
          {subject.value?.parameters.map((one) => (
            <Field parameter={one} prefix={prefix} key={`${choice.value.system}/${one.name}`} />
          ))}
        </div>
        {changes > 0 ? <button type="button" onClick={made.resetValues}>All defaults</button> : null}
      </details>
    </div>
  );
}
