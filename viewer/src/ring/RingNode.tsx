import { compact } from "../diagram/paintLanes";
import type { DiagramLane } from "../diagram/model";
import { besideOf, placeOf, type Circle } from "./place";
import { hueOf } from "./variables";

export interface NodeLook {
  lane: DiagramLane;
  index: number;
  acting: boolean;
  up: boolean;
  involved: boolean;
  value: string | null; // of the chosen variable
  operation: string;
  waiting: number;
  block: string; // of a partition
}

const LINE = 17;
const MOST = 24; // characters of a line

const cut = (text: string) => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

interface Line {
  text: string;
  style: string;
  full: string;
}

/** A node: its name, a lamp for up and down, one for the chosen variable, and what its client does. */
export function RingNode({ look, count, circle, variable, opened, onOpen }: {
  look: NodeLook; count: number; circle: Circle; variable: string; opened: boolean; onOpen: () => void;
}) {
  const { lane, up, value } = look;
  const { x, y } = placeOf(circle, look.index, count);
  const r = circle.node;
  const lines: Line[] = [];
  const state = lane.client ? "" : up ? "up" : "down";
  const kind = [lane.type, state].filter(Boolean).join(" · ");
  if (kind) lines.push({ text: cut(kind), style: "ring-type", full: kind });
  if (value !== null) lines.push({ text: cut(value), style: "ring-value", full: `${variable}: ${value}` });
  if (look.operation) {
    lines.push({ text: cut(compact(look.operation)), style: "ring-op", full: look.operation });
  }
  const beside = besideOf(circle, look.index, count, lines.length, LINE);
  const label = [
    lane.client ? lane.name : `node ${lane.name}`, lane.type, state,
    value === null ? "" : `${variable} ${value}`,
    look.waiting > 0 ? `${look.waiting} messages wait` : "",
    look.operation, look.block ? `in block ${look.block}` : "",
    look.acting ? "acts now" : "", look.involved ? "involved in the violation" : "",
  ].filter(Boolean).join(", ");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onOpen();
  };
  return (
    <g id={`ring-node-${lane.node}`} role="button" tabindex={0} aria-expanded={opened} aria-label={label}
      class={`ring-node ${up ? "" : "down"} ${look.acting ? "acting" : ""}`}
      onClick={onOpen} onKeyDown={onKeyDown}>
      {look.involved ? <circle class="ring-involved" cx={x} cy={y} r={r + 8} /> : null}
      {look.acting ? <circle class="ring-acting" cx={x} cy={y} r={r + 4} /> : null}
      <circle class="ring-body" cx={x} cy={y} r={r} />
      <text class="ring-name" x={x} y={y} style={{ fontSize: `${Math.max(11, Math.min(19, r * 0.6))}px` }}>
        {lane.name}
      </text>
      {state ? <Lamp x={x + r * 0.74} y={y - r * 0.74} size={Math.max(5, r * 0.24)} up={up} /> : null}
      {look.block ? <text class="ring-block" x={x - r * 0.95} y={y - r * 0.8}>{look.block}</text> : null}
      {lines.map((line, i) => {
        const at = beside.y + i * LINE;
        const isValue = line.style === "ring-value";
        return (
          <g key={line.style}>
            <title>{line.full}</title>
            {isValue ? <Pill x={beside.x} y={at} anchor={beside.anchor} text={line.text} /> : (
              <text class={line.style} x={beside.x} y={at} text-anchor={beside.anchor}>{line.text}</text>
            )}
          </g>
        );
      })}
      {!up ? <text class="ring-downword" x={x} y={y + r * 0.62}>down</text> : null}
    </g>
  );
}

function Lamp({ x, y, size, up }: { x: number; y: number; size: number; up: boolean }) {
  const s = size * 0.5;
  return (
    <g class={up ? "ring-lamp up" : "ring-lamp down"}>
      <title>{up ? "up" : "down"}</title>
      <circle cx={x} cy={y} r={size} />
      {up ? null : <path d={`M${x - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}`} />}
    </g>
  );
}

const CHAR = 7.1;

function Pill({ x, y, anchor, text }: { x: number; y: number; anchor: string; text: string }) {
  const width = text.length * CHAR + 14;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return (
    <g class={`ring-pill hue-${hueOf(text)}`}>
      <rect x={left} y={y - 8} width={width} height={16} rx={8} />
      <text x={left + width / 2} y={y} text-anchor="middle">{text}</text>
    </g>
  );
}
