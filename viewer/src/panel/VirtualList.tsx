import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  count: number;
  rowHeight: number;
  /** The selected row; -1: none. It is scrolled to when it changes. */
  at: number;
  onSelect: (index: number) => void;
  row: (index: number) => ComponentChildren;
  rowClass?: (index: number) => string;
  /** Set anew to scroll to `at` once more, in the middle. */
  center?: unknown;
  id: string;
}

const MARGIN = 12; // rows above and below that are ready

/** A list of any length: only the rows in sight are there. The ARIA listbox pattern. */
export function VirtualList(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const { count, rowHeight, at } = props;
  useLayoutEffect(() => {
    const box = host.current;
    if (!box) return;
    const measure = () => { height.value = box.clientHeight; };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(box);
    return () => watcher.disconnect();
  }, []);
  const centre = () => {
    const box = host.current;
    if (box && at >= 0) box.scrollTop = at * rowHeight - box.clientHeight / 2 + rowHeight / 2;
  };
  useLayoutEffect(() => {
    const box = host.current;
    if (!box || at < 0) return;
    const y = at * rowHeight;
    if (y < box.scrollTop - rowHeight * 20 || y > box.scrollTop + box.clientHeight + rowHeight * 20) centre();
    else if (y < box.scrollTop) box.scrollTop = y;
    else if (y + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = y + rowHeight - box.clientHeight;
  }, [at]);
  useEffect(centre, [props.center]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(height.value / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (count > 0) props.onSelect(Math.max(0, Math.min(count - 1, next)));
  };
  const first = Math.max(0, Math.min(count, Math.floor(top.value / rowHeight) - MARGIN));
  const last = Math.min(count, Math.ceil((top.value + height.value) / rowHeight) + MARGIN);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  const shown = at >= first && at < last;
  return (
    <div class="vlist" role="listbox" aria-label={props.label} tabIndex={0} ref={host}
      aria-activedescendant={shown ? `${props.id}-${at}` : undefined} onKeyDown={onKeyDown}
      onScroll={(event) => { top.value = event.currentTarget.scrollTop; }}>
      <div role="presentation" style={{ height: `${count * rowHeight}px`, position: "relative" }}>
        {indexes.map((index) => (
          <div role="option" key={index} id={`${props.id}-${index}`} aria-selected={index === at}
            aria-setsize={count} aria-posinset={index + 1}
            class={`vlist-row ${index === at ? "at" : ""} ${props.rowClass?.(index) ?? ""}`}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            onClick={() => props.onSelect(index)}>
            {props.row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
