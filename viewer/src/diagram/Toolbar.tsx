import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import * as store from "../store";
import type { DiagramCanvas } from "./canvas";
import { Legend } from "./Legend";

export interface Highlights {
  past: boolean;
  future: boolean;
  toggle: (which: "past" | "future") => void;
}

/** A button that opens a box below it; Escape and a click elsewhere close it. */
function Popup({ label, name, children }: { label: string; name: string; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const host = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: PointerEvent) => {
      if (!host.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    host.current?.querySelector("button")?.focus();
  };
  return (
    <span class="diagram-popup" ref={host} onKeyDown={onKeyDown}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>{label} ▾</button>
      {open ? <div class="diagram-box" role="group" aria-label={name} tabIndex={0}>{children}</div> : null}
    </span>
  );
}

function Types({ diagram }: { diagram: DiagramCanvas }) {
  const types = [...diagram.model.typeCounts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const hidden = store.hiddenTypes.value;
  const all = types.map(([type]) => type);
  return (
    <>
      <p class="diagram-row">
        <button type="button" onClick={() => { store.hiddenTypes.value = new Set(); }}>Show all</button>
        <button type="button" onClick={() => { store.hiddenTypes.value = new Set(all); }}>Hide all</button>
      </p>
      {types.length === 0 ? <p>No messages are sent in this run.</p> : null}
      <ul class="diagram-types">
        {types.map(([type, count]) => (
          <li key={type}>
            <label>
              <input type="checkbox" checked={!hidden.has(type)}
                onChange={() => { store.hiddenTypes.value = store.toggled(hidden, type); }} />
              <span class="mono">{type || "(no type)"}</span>
              <span class="diagram-count">{count.toLocaleString("en")}</span>
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Toolbar({ diagram, highlights }: {
  diagram: DiagramCanvas; highlights: Highlights;
}) {
  const hidden = store.hiddenTypes.value.size;
  const total = diagram.model.typeCounts.size;
  return (
    <div class="diagram-tools" role="toolbar" aria-label="Diagram">
      <span class="diagram-group">
        <button type="button" aria-label="Zoom out" title="Zoom out (−)"
          onClick={() => diagram.zoomBy(1 / 1.5)}>−</button>
        <button type="button" aria-label="Zoom in" title="Zoom in (+)"
          onClick={() => diagram.zoomBy(1.5)}>+</button>
        <button type="button" title="The whole run (0)" onClick={() => diagram.fit()}>Fit</button>
        <button type="button" title="To the selected step (c)"
          onClick={() => diagram.goTo(store.step.value)}>Selected</button>
      </span>
      <span class="diagram-group">
        <button type="button" aria-pressed={highlights.past} title="What had to happen before (p)"
          onClick={() => highlights.toggle("past")}>⬆ Causal past</button>
        <button type="button" aria-pressed={highlights.future} title="What depends on it (f)"
          onClick={() => highlights.toggle("future")}>⬇ Causal future</button>
      </span>
      <Popup label={hidden > 0 ? `Messages (${total - hidden} of ${total})` : "Messages"}
        name="Types of messages">
        <Types diagram={diagram} />
      </Popup>
      <Popup label="Legend" name="Legend"><Legend diagram={diagram} /></Popup>
    </div>
  );
}
