import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useKeys } from "../keys";
import * as store from "../store";
import { examplesOf } from "./examples";
import { firstFrom, goToMatch, looked, mistake, notes, searching, startSearching } from "./search";
import "./steps.css";

startSearching();

function focusField(): void {
  searching.value = true;
  requestAnimationFrame(() => {
    const field = document.getElementById("search-field") as HTMLInputElement | null;
    field?.focus();
    field?.select();
  });
}

/** In the head of the page: opens the search. The keys are there in every view. */
export function SearchButton() {
  useKeys([
    { keys: ["/"], what: "search", run: focusField },
    { keys: ["n"], what: "next match", run: () => goToMatch(1) },
    { keys: ["N"], what: "previous match", run: () => goToMatch(-1) },
  ]);
  if (!store.run.value) return null;
  return (
    <button type="button" class="search-button" aria-expanded={searching.value} aria-controls="search-bar" title="Search (/)"
      onClick={() => { if (searching.value) searching.value = false; else focusField(); }}>
      Search
    </button>
  );
}

/** The field, how many steps match, and what is wrong with the query. */
export function SearchBar() {
  const help = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  const typed = useSignal(store.query.value);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = store.run.value;
  if (!run || !searching.value) return null;
  const apply = (text: string) => {
    clearTimeout(timer.current);
    store.query.value = text;
  };
  const onInput = (text: string) => {
    typed.value = text;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(text), 150);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      if (store.query.value !== typed.value) apply(typed.value);
      goToMatch(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      onInput("");
      apply("");
      searching.value = false;
      document.getElementById("view")?.focus();
    } else {
      return;
    }
    event.preventDefault();
  };
  const wrong = mistake.value;
  return (
    <search class="search" id="search-bar" aria-label="Search in the run">
      <div class="search-row">
        <input id="search-field" ref={field} type="search" class="mono" spellcheck={false} autocomplete="off"
          aria-label="Search: text, kind:deliver, nodes[1].term > 3" placeholder="text, kind:deliver, nodes[1].term > 3"
          aria-invalid={wrong !== null} aria-describedby="search-said" value={typed.value}
          onInput={(event) => onInput(event.currentTarget.value)} onKeyDown={onKeyDown} />
        <button type="button" onClick={() => goToMatch(-1)} disabled={store.matches.value.length === 0} title="Previous match (N)" aria-label="Previous match">↑</button>
        <button type="button" onClick={() => goToMatch(1)} disabled={store.matches.value.length === 0} title="Next match (n)" aria-label="Next match">↓</button>
        <span class="search-count" role="status">{countText(run.length)}</span>
        <button type="button" onClick={() => { store.view.value = "steps"; }}>List</button>
        <button type="button" aria-expanded={help.value} onClick={() => { help.value = !help.value; }}>Examples</button>
      </div>
      <div id="search-said">
        {wrong ? <Wrong text={store.query.value} at={wrong.at} end={wrong.end} message={wrong.message} /> : null}
        {notes.value.length > 0 ? <p class="search-note">{notes.value.join("; ")}</p> : null}
      </div>
      {help.value ? (
        <div class="search-help">
          <ul>{examplesOf(run).map((example) => (
            <li key={example.query}>
              <button type="button" class="mono" onClick={() => { onInput(example.query); apply(example.query); field.current?.focus(); }}>{example.query}</button>
              <span>{example.what}</span>
            </li>
          ))}</ul>
          <p class="search-note">
            Also: and, or, not, parentheses; = != &lt; &lt;= &gt; &gt;= in; len(…), changed(…), becomes(…); any and all before a
            predicate with [*]; "text in quotes"; step:3..9. A predicate is about the state after the step.
          </p>
        </div>
      ) : null}
    </search>
  );
}

function countText(length: number): string {
  if (store.query.value.trim() === "" || mistake.value) return "";
  const matches = store.matches.value;
  const on = matches[firstFrom(matches, store.step.value)] === store.step.value;
  const place = on ? `${(firstFrom(matches, store.step.value) + 1).toLocaleString("en")} of ` : "";
  const busy = looked.value <= length ? " so far" : "";
  if (matches.length === 0) return busy ? "searching…" : "no step matches";
  return `${place}${matches.length.toLocaleString("en")} ${matches.length === 1 ? "match" : "matches"}${busy}`;
}

function Wrong({ text, at, end, message }: { text: string; at: number; end: number; message: string }) {
  return (
    <p class="search-wrong" role="alert">
      <span class="mono">{text.slice(Math.max(0, at - 40), at)}<mark>{text.slice(at, end) || "▁"}</mark>{text.slice(end, end + 30)}</span>
      <span>{message}</span>
    </p>
  );
}
