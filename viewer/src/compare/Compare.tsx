import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useKeys } from "../keys";
import { placeAndWhat } from "../panel/facts";
import { cut } from "../panel/tree";
import { VirtualList } from "../panel/VirtualList";
import * as store from "../store";
import type { Run } from "../trace/run";
import { alignRuns, type Alignment, type Relation, type Row } from "./align";
import { defaultPair, left, pickPair, right } from "./choice";
import { Detail } from "./Detail";
import { OtherForm } from "./OtherForm";
import "./compare.css";

export const SIGNS: Record<Relation, string> = { same: "=", effect: "≠", carried: "∼", left: "−", right: "+" };
export const WORDS: Record<Relation, string> = {
  same: "the same", effect: "the same step, another effect", carried: "the same step, the state differed before",
  left: "only on the left", right: "only on the right",
};

/** Two runs side by side, aligned by what caused what, from the first divergence on. */
export function Compare() {
  const runs = store.runs.value;
  const chosen = (index: number) => index >= 0 && index < runs.length;
  const pair = chosen(left.value) && chosen(right.value) ? [left.value, right.value] as const : defaultPair(runs, store.runIndex.value);
  if (!pair) return <Alone />;
  return <Pair a={pair[0]} b={pair[1]} key={`${pair[0]}/${pair[1]}`} />;
}

function Alone() {
  return (
    <div class="pad cmp-alone">
      <h1>Two runs are needed</h1>
      <p>This page holds one run. A second one can be opened in the view <b>Open</b>. These pages hold two from the start:</p>
      <ul>
        <li><code>ordeal check SUBJECT --strategy random --html FILE</code>: a violation as it was found, and minimised</li>
        <li><code>ordeal replay TRACE --bug none --html FILE</code>: the run that fails, and what the correct form does</li>
      </ul>
      <OtherForm />
    </div>
  );
}

function Pair({ a, b }: { a: number; b: number }) {
  const runs = store.runs.value;
  const [mine, theirs] = [runs[a]!, runs[b]!];
  void store.revision.value;
  const alignment = useMemo(() => alignRuns(mine, theirs), [mine, theirs, mine.length, theirs.length]);
  const only = useSignal(false);
  const at = useSignal(Math.max(0, alignment.first));
  const jump = useSignal(0);
  useEffect(() => {
    at.value = Math.max(0, alignment.first);
    ++jump.value;
  }, [alignment]);
  const shown = useMemo(() => {
    const all = alignment.rows.map((_, i) => i);
    return only.value ? all.filter((i) => alignment.rows[i]!.relation !== "same") : all;
  }, [alignment, only.value]);
  const go = (row: number) => {
    at.value = row;
    ++jump.value;
  };
  const next = (direction: 1 | -1) => {
    for (let i = at.value + direction; i >= 0 && i < alignment.rows.length; i += direction) {
      if (alignment.rows[i]!.relation !== "same") return go(i);
    }
    store.notice.value = "There is no other difference that way";
  };
  useKeys([
    { keys: ["d"], what: "compare: next difference", run: () => next(1) },
    { keys: ["D"], what: "compare: previous difference", run: () => next(-1) },
    { keys: ["ArrowDown"], what: "compare: next row", run: () => { at.value = Math.min(alignment.rows.length - 1, at.value + 1); } },
    { keys: ["ArrowUp"], what: "compare: previous row", run: () => { at.value = Math.max(0, at.value - 1); } },
  ], [alignment]);
  const row = alignment.rows[at.value];
  return (
    <div class="cmp">
      <div class="cmp-bar">
        <h1 class="unseen">Two runs compared</h1>
        <Picker label="Left run" value={a} onPick={(index) => pickPair(index, b)} />
        <button type="button" aria-label="Swap the two runs" title="Swap" onClick={() => pickPair(b, a)}>⇄</button>
        <Picker label="Right run" value={b} onPick={(index) => pickPair(a, index)} />
        <span class="spring" />
        <button type="button" class={alignment.first >= 0 ? "primary" : ""} disabled={alignment.first < 0} onClick={() => go(alignment.first)}>First divergence</button>
        <button type="button" onClick={() => next(-1)} aria-label="Previous difference" title="Previous difference (D)">↑</button>
        <button type="button" onClick={() => next(1)} aria-label="Next difference" title="Next difference (d)">↓</button>
        <label><input type="checkbox" checked={only.value} onChange={(event) => { only.value = event.currentTarget.checked; ++jump.value; }} /> Only differences</label>
      </div>
      <OtherForm />
      <Verdict alignment={alignment} mine={mine} theirs={theirs} />
      <div class="cmp-heads" aria-hidden="true">
        <span /><span class="cmp-head">{mine.name} <small>{mine.role}</small></span><span class="cmp-head">{theirs.name} <small>{theirs.role}</small></span>
      </div>
      <div class="cmp-list">
        <VirtualList id="cmp" label="Steps of both runs" count={shown.length} rowHeight={30} at={shown.indexOf(at.value)} center={jump.value}
          onSelect={(index) => { at.value = shown[index]!; }}
          rowClass={(index) => rowClass(alignment, shown[index]!)}
          row={(index) => <RowLine mine={mine} theirs={theirs} row={alignment.rows[shown[index]!]!} first={shown[index] === alignment.first} />} />
      </div>
      {row ? <Detail row={row} first={at.value === alignment.first} mine={mine} theirs={theirs} a={a} b={b} alignment={alignment} /> : null}
    </div>
  );
}

const rowClass = (alignment: Alignment, index: number) =>
  `cmp-${alignment.rows[index]!.relation} ${index === alignment.first ? "cmp-first" : ""}`;

function Picker({ label, value, onPick }: { label: string; value: number; onPick: (index: number) => void }) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onPick(Number(event.currentTarget.value))}>
      {store.runs.value.map((run, i) => (
        <option value={i} key={i}>{run.divergence ? "≠" : run.violated ? "✗" : "✓"} {cut(run.name, 40)} ({run.role}, {run.length} steps)</option>
      ))}
    </select>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}`;
}

function Verdict({ alignment, mine, theirs }: { alignment: Alignment; mine: Run; theirs: Run }) {
  const { counts, reordered } = alignment;
  const starts = mine.trace.initial_digest && theirs.trace.initial_digest && mine.trace.initial_digest !== theirs.trace.initial_digest;
  const other = Object.keys({ ...mine.trace.parameters, ...theirs.trace.parameters }).sort()
    .filter((name) => (mine.trace.parameters?.[name] ?? "") !== (theirs.trace.parameters?.[name] ?? ""))
    .map((name) => `${name}: ${mine.trace.parameters?.[name] || "none"} → ${theirs.trace.parameters?.[name] || "none"}`);
  const parts = [
    counted(counts.same + counts.carried + counts.effect, "steps are in both"),
    counts.effect > 0 ? counted(counts.effect, "of them with another effect") : "",
    counts.left > 0 ? counted(counts.left, "only on the left") : "",
    counts.right > 0 ? counted(counts.right, "only on the right") : "",
    reordered > 0 ? counted(reordered, "in another order (independent of each other)") : "",
  ].filter(Boolean);
  return (
    <p class="cmp-verdict">
      {alignment.first < 0 ? <b class="cmp-good">✓ No divergence: the same steps with the same effects. </b> : null}
      {mine.trace.system !== theirs.trace.system ? <b>⚠ These are runs of different systems. </b> : null}
      {starts ? <b>⚠ They start in different states. </b> : null}
      {parts.join("; ")}.{other.length > 0 ? ` Parameters that differ: ${cut(other.join(", "), 160)}.` : ""}
    </p>
  );
}

function RowLine({ mine, theirs, row, first }: { mine: Run; theirs: Run; row: Row; first: boolean }) {
  const cell = (run: Run, number: number) => {
    if (number === 0) return <span class="cmp-cell none" />;
    const { place, what } = placeAndWhat(run, number);
    return (
      <span class="cmp-cell">
        <span class="cmp-number">{number}</span>
        <span class="cmp-place">{place}</span>
        <span class="cmp-label" title={run.label(number)}>{cut(what, 160)}</span>
        {run.violated && number === run.verdictStep ? <span class="steps-bad">✗ violated</span> : null}
      </span>
    );
  };
  return (
    <span class="cmp-row">
      <span class="cmp-sign"><span aria-hidden="true">{SIGNS[row.relation]}</span><span class="unseen">{WORDS[row.relation]}{first ? ", first divergence" : ""}</span></span>
      {cell(mine, row.a)}
      {cell(theirs, row.b)}
      {first ? <span class="cmp-flag" aria-hidden="true">◀ first divergence</span> : null}
    </span>
  );
}
