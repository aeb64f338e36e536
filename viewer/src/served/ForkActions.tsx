import { useEffect, useState } from "preact/hooks";
import * as store from "../store";
import type { Run } from "../trace/run";
import { changes, continuation, type Branch } from "./forks";
import type { Action, Here } from "./read";

export type Grouping = "node" | "kind";

export interface Group {
  name: string;
  actions: Action[];
}

/** Actions in groups, those of a group as the engine numbers them. */
export function groupsOf(actions: Action[], by: Grouping, text: string, nodeName: (node: number) => string): Group[] {
  const groups = new Map<string, { key: number; actions: Action[] }>();
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const action of actions) {
    const words = `${action.text} ${action.kind}`.toLowerCase();
    if (!wanted.every((word) => words.includes(word))) continue;
    const name = by === "kind" ? action.kind : action.node < 0 ? "the system" : `node ${nodeName(action.node)}`;
    const group = groups.get(name) ?? { key: by === "kind" ? 0 : action.node, actions: [] };
    group.actions.push(action);
    groups.set(name, group);
  }
  return [...groups].sort((a, b) => a[1].key - b[1].key || a[0].localeCompare(b[0]))
    .map(([name, group]) => ({ name, actions: group.actions }));
}

interface Props {
  run: Run;
  branch: Branch;
  step: number;
  here: Here | null;
  busy: boolean;
  take: (choice: number) => void;
}

/** The actions that are enabled at a step; the one that the run took is marked. */
export function ForkActions({ run, branch, step, here, busy, take }: Props) {
  const [filter, setFilter] = useState("");
  const [by, setBy] = useState<Grouping>("node");
  const [active, setActive] = useState(0);
  void changes.value;
  const taken = step < run.length ? run.step(step + 1).choice : -1;
  const groups = groupsOf(here?.actions ?? [], by, filter, (node) => run.nodeName(node));
  const options = groups.flatMap((group) => group.actions);
  const at = Math.min(active, options.length - 1);
  useEffect(() => {
    setActive(Math.max(0, options.findIndex((action) => action.choice === taken)));
  }, [here, filter, by]);
  useEffect(() => {
    document.getElementById(`fork-option-${options[at]?.choice}`)?.scrollIntoView({ block: "nearest" });
  }, [at, here]);
  const onKeyDown = (event: KeyboardEvent) => {
    const move = (to: number) => setActive(Math.max(0, Math.min(options.length - 1, to)));
    if (event.key === "ArrowDown") move(at + 1);
    else if (event.key === "ArrowUp") move(at - 1);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(options.length - 1);
    else if (event.key === "ArrowLeft") store.selectStep(step - 1);
    else if (event.key === "ArrowRight") store.selectStep(step + 1);
    else if (event.key === "Enter" || event.key === " ") {
      if (options[at] && !busy) take(options[at].choice);
    } else return;
    event.preventDefault();
  };
  const mark = (action: Action) => {
    if (action.choice === taken) return <span class="tag info">✓ taken</span>;
    const other = continuation(branch, step, action.choice);
    return other ? <span class="tag dull">→ {other.run.name}</span> : null;
  };
  const total = here?.actions.length ?? 0;
  return (
    <section class="fork-actions" aria-labelledby="fork-actions-title">
      <h2 id="fork-actions-title">
        {step === 0 ? "What can happen at the start" : `What can happen after step ${step}`}
        {here ? <span class="what"> ({total} {total === 1 ? "action" : "actions"})</span> : null}
      </h2>
      <div class="fork-tools">
        <input type="search" aria-label="Filter actions" placeholder="filter: crash, deliver 1→2 …" value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)} />
        <label>by <select aria-label="Group actions" value={by}
          onChange={(event) => setBy(event.currentTarget.value as Grouping)}>
          <option value="node">node</option><option value="kind">kind</option>
        </select></label>
      </div>
      <div role={options.length > 0 ? "listbox" : "group"} aria-label="Enabled actions" class="fork-list" tabIndex={0}
        id="fork-list"
        aria-busy={busy} onKeyDown={onKeyDown}
        aria-activedescendant={options[at] ? `fork-option-${options[at].choice}` : undefined}>
        {groups.map((group) => (
          <div role="group" aria-label={group.name} key={group.name}>
            <div class="fork-group" aria-hidden="true">{group.name}</div>
            {group.actions.map((action) => (
              <div role="option" id={`fork-option-${action.choice}`} key={action.choice}
                aria-selected={options[at] === action}
                class={`fork-option ${run.kinds.isFault(action.kind) ? "fault" : ""} ${options[at] === action ? "active" : ""}`}
                onClick={() => { if (!busy) take(action.choice); }}>
                <span class="mono words">{action.text}</span>{mark(action)}
              </div>
            ))}
          </div>
        ))}
        {here && total === 0 ? <p class="what">Nothing is left to happen: the run ends here.</p> : null}
        {here && total > 0 && options.length === 0 ? <p class="what">No action fits the filter.</p> : null}
      </div>
      {here && !here.within ? <p class="what">The bounds of this subject end here; a search would not go on.</p> : null}
      {here?.failure ? <p class="wrong">✗ a handler failed: {here.failure}</p> : null}
      {here?.error ? <p class="wrong">✗ what comes next cannot be said: {here.error}</p> : null}
    </section>
  );
}
