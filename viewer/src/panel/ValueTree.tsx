import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Json } from "../trace/value";
import { MOST_MEMBERS, rowsOf, type Row } from "./rows";
import "./tree.css";

const SYMBOLS = { none: "", changed: "≠", added: "+", removed: "−", inside: "•" };
const WORDS = { none: "", changed: "changed", added: "new", removed: "gone", inside: "changed inside" };

interface Props {
  label: string;
  value: Json;
  before?: Json;
  onlyChanges?: boolean;
  /** Which paths are open, where they are not as by default; kept by the caller across steps. */
  open: ReadonlyMap<string, boolean>;
  onToggle: (path: string, open: boolean) => void;
  openLevels?: number; // by default so many levels are open
  /** Called when a variable is picked, to see its history. */
  onPick?: (path: string) => void;
  picked?: string;
}

/** A value as a tree: the ARIA tree pattern, with arrows, Home, End, Enter and Space. */
export function ValueTree(props: Props) {
  const at = useSignal("");
  const more = useSignal<ReadonlyMap<string, number>>(new Map());
  const host = useRef<HTMLDivElement>(null);
  const rows = rowsOf(props.value, {
    before: props.before,
    onlyChanges: props.onlyChanges,
    isOpen: (path, level) => props.open.get(path) ?? (level <= (props.openLevels ?? 0)),
    most: (path) => more.value.get(path) ?? MOST_MEMBERS,
  });
  const current = Math.max(0, rows.findIndex((row) => row.path === at.value));
  const focus = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    at.value = row.path;
    host.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[rows.indexOf(row)]?.focus();
  };
  const showMore = (row: Row) => {
    const next = new Map(more.value);
    next.set(row.parent, (next.get(row.parent) ?? MOST_MEMBERS) + 1000);
    more.value = next;
  };
  const act = (row: Row) => {
    at.value = row.path;
    if (row.more > 0) showMore(row);
    else if (row.open !== null) props.onToggle(row.path, !row.open);
    else props.onPick?.(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown") focus(current + 1);
    else if (event.key === "ArrowUp") focus(current - 1);
    else if (event.key === "Home") focus(0);
    else if (event.key === "End") focus(rows.length - 1);
    else if (event.key === "ArrowRight") {
      if (row.open === false) props.onToggle(row.path, true);
      else if (row.open) focus(current + 1);
    } else if (event.key === "ArrowLeft") {
      if (row.open) props.onToggle(row.path, false);
      else focus(rows.findIndex((other) => other.path === row.parent));
    } else if (event.key === "Enter") {
      if (props.onPick && row.more === 0) props.onPick(row.path);
      else act(row);
    } else if (event.key === " ") act(row);
    else return;
    event.preventDefault();
  };
  if (rows.length === 0) {
    return <p class="tree-empty">{props.onlyChanges ? "Nothing changed here." : "It is empty."}</p>;
  }
  return (
    <div role="tree" aria-label={props.label} class="tree" ref={host} onKeyDown={onKeyDown}>
      {rows.map((row, i) => (
        <div role="treeitem" key={`${row.path}${row.mark === "removed" ? "-" : ""}`} aria-level={row.level}
          aria-expanded={row.open ?? undefined} aria-selected={row.path === props.picked}
          tabIndex={i === current ? 0 : -1} class={`tree-row ${row.mark}`}
          style={{ paddingLeft: `${(row.level - 1) * 14}px` }}
          onFocus={() => { at.value = row.path; }}
          onClick={() => act(row)}>
          <span class="tree-sign" aria-hidden="true">{SYMBOLS[row.mark]}</span>
          <span class="tree-fold" aria-hidden="true">{row.open === null ? "" : row.open ? "▾" : "▸"}</span>
          <RowText row={row} />
        </div>
      ))}
    </div>
  );
}

function RowText({ row }: { row: Row }) {
  if (row.more > 0) return <span class="tree-more">… {row.label}: show them</span>;
  const said = WORDS[row.mark];
  return (
    <>
      <span class="tree-name">{row.label}</span>
      {row.before !== null ? <del class="tree-old" title={row.before}>{row.before}</del> : null}
      {row.before !== null && row.mark === "changed" ? <><span aria-hidden="true"> → </span><span class="unseen"> becomes </span></> : null}
      <span class={row.open ? "tree-type" : "tree-value"} title={row.text}>{row.text}</span>
      {said ? <span class="unseen"> ({said})</span> : null}
    </>
  );
}
