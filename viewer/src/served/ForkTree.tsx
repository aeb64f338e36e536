import { useRef, useState } from "preact/hooks";
import * as store from "../store";
import { branchOf, changes, remove, rename, rootOf, rowsOf, show, type Branch, type Row } from "./forks";

const ROW = 44; // pixels, as in the style sheet
const WIDTH = 120;
const EDGE = 8;

/** The branches as lines over their steps, beside their names. The words beside it tell the same. */
function Drawing({ rows, current, step }: { rows: Row[]; current: Branch; step: number }) {
  const longest = Math.max(1, ...rows.map((row) => row.branch.run.length));
  const x = (at: number) => EDGE + (at / longest) * (WIDTH - 2 * EDGE);
  const y = (row: number) => row * ROW + ROW / 2;
  const place = new Map(rows.map((row, i) => [row.branch, i]));
  return (
    <svg class="fork-drawing" width={WIDTH} height={rows.length * ROW} aria-hidden="true">
      {rows.map(({ branch }, i) => {
        const from = x(branch.at);
        const up = branch.parent ? y(place.get(branch.parent) ?? i) : y(i);
        const verdict = branch.run.trace.verdict;
        return (
          <g key={branch.id} class={branch === current ? "current" : ""}>
            <path d={`M${from} ${up}V${y(i)}H${x(branch.run.length)}`} />
            <circle cx={from} cy={branch.parent ? up : y(i)} r="2.5" />
            {verdict ? <text class="bad" x={x(branch.run.verdictStep)} y={y(i) + 5} text-anchor="middle">✗</text> : null}
            {branch === current ? <circle class="here" cx={x(step)} cy={y(i)} r="4.5" /> : null}
          </g>
        );
      })}
    </svg>
  );
}

function wordsOf(branch: Branch): string {
  const steps = `${branch.run.length} ${branch.run.length === 1 ? "step" : "steps"}`;
  return branch.parent ? `from step ${branch.at}, ${steps}` : steps;
}

/** The run and the other ways that were tried, as a tree. */
export function ForkTree({ current, step }: { current: Branch; step: number }) {
  void changes.value;
  const [renaming, setRenaming] = useState<number | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = rowsOf(rootOf(current));
  const at = rows.findIndex((row) => row.branch === current);
  const go = (branch: Branch | null | undefined) => {
    if (!branch) return;
    // Where both have that step they are compared; else the branch shows its own part.
    show(branch, Math.max(branch.at, Math.min(store.step.value, branch.run.length)));
    requestAnimationFrame(() => document.getElementById(`fork-branch-${branch.id}`)?.focus());
  };
  const drop = () => {
    if (!current.parent) return;
    const { parent, at: left } = current;
    remove(current);
    show(parent, left);
    store.notice.value = `branch removed; ${parent.run.name} is shown`;
    requestAnimationFrame(() => document.getElementById(`fork-branch-${branchOf(parent.run).id}`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === "ArrowDown") go(rows[at + 1]?.branch);
    else if (event.key === "ArrowUp") go(rows[at - 1]?.branch);
    else if (event.key === "Home") go(rows[0]?.branch);
    else if (event.key === "End") go(rows[rows.length - 1]?.branch);
    else if (event.key === "ArrowLeft") go(current.parent);
    else if (event.key === "ArrowRight") go(rows[at]?.branch.children[0]);
    else if (event.key === "F2") setRenaming(current.id);
    else if (event.key === "Delete") drop();
    else return;
    event.preventDefault();
  };
  const endRename = (name: string | null) => {
    if (name !== null) rename(current, name);
    setRenaming(null);
    requestAnimationFrame(() => document.getElementById(`fork-branch-${current.id}`)?.focus());
  };
  return (
    <section class="card fork-tree" aria-labelledby="fork-tree-title">
      <h2 id="fork-tree-title">Branches</h2>
      <div class="fork-rows">
        <div role="tree" aria-label="Branches" ref={tree} onKeyDown={onKeyDown} class="fork-names">
          {rows.map(({ branch, level, position }) => {
            const verdict = branch.run.trace.verdict;
            return (
              <div role="treeitem" key={branch.id} id={`fork-branch-${branch.id}`} class="fork-row"
                aria-level={level} aria-posinset={position} aria-selected={branch === current}
                aria-setsize={branch.parent?.children.length ?? 1}
                tabIndex={branch === current ? 0 : -1} style={{ paddingLeft: `${(level - 1) * 14 + 4}px` }}
                onClick={() => go(branch)}>
                <span class="line">
                  <span class="name">{branch.run.name}</span>
                  {verdict ? <span class="tag bad" title={verdict.property}>✗ {verdict.property}</span> : null}
                </span>
                <span class="what">{wordsOf(branch)}</span>
              </div>
            );
          })}
        </div>
        <Drawing rows={rows} current={current} step={step} />
      </div>
      {renaming === current.id ? (
        <form class="actions" onSubmit={(event) => {
          event.preventDefault();
          endRename(new FormData(event.currentTarget).get("name") as string);
        }} onKeyDown={(event) => { if (event.key === "Escape") endRename(null); }}>
          <input name="name" aria-label="New name of the branch" defaultValue={current.run.name} maxLength={60}
            ref={(input) => { if (input && document.activeElement !== input) input.select(); }} />
          <button type="submit">Rename</button>
          <button type="button" onClick={() => endRename(null)}>Cancel</button>
        </form>
      ) : (
        <p class="actions">
          <button type="button" onClick={() => setRenaming(current.id)} title="F2">Rename</button>
          <button type="button" disabled={!current.parent} onClick={drop} title="Delete">Delete branch</button>
        </p>
      )}
    </section>
  );
}
