import { Places } from "../diagram/layout";
import type { DiagramModel } from "../diagram/model";
import { messageWords } from "../diagram/tooltip";
import { NEAR, type Flight, type Sky, type Waiting } from "./flights";
import { alongChord, chordOf, pathOf, placeOf, type Chord, type Circle, type Point } from "./place";

interface Props {
  sky: Sky;
  model: DiagramModel;
  circle: Circle;
  moment: number;
  step: number;
}

/** Messages on their ways, those that wait with a count, and a request that comes from outside. */
export function Messages({ sky, model, circle, moment, step }: Props) {
  const count = model.lanes.length;
  const chord = (from: number, to: number): Chord | null => {
    const [a, b] = [from < 0 ? model.laneOf(to) : model.laneOf(from), model.laneOf(to)];
    if (a < 0 || b < 0) return null;
    return chordOf(placeOf(circle, a, count), placeOf(circle, b, count), circle.node);
  };
  const crowded = sky.flights.length + sky.waiting.length > 16;
  // A label stands above its message, or below it, or nowhere; nodes are in front of labels.
  const places = new Places();
  const reach = circle.node + 6;
  model.lanes.forEach((_, i) => {
    const { x, y } = placeOf(circle, i, count);
    places.take(x - reach, y - reach, 2 * reach, 2 * reach);
  });
  const label = (text: string, at: Point, high: number): Label | null => {
    const wide = text.length * 6.7 + 4;
    for (const y of [at.y - high, at.y + high + 1]) {
      if (places.take(at.x - wide / 2, y - 7, wide, 14)) return { text, x: at.x, y };
    }
    return null;
  };
  return (
    <g class="ring-flights">
      <marker id="ring-head" viewBox="0 0 8 8" refX={7} refY={4} markerWidth={8} markerHeight={8}
        markerUnits="userSpaceOnUse" orient="auto">
        <path class="ring-head" d="M0 0L8 4L0 8Z" />
      </marker>
      {sky.waiting.map((group) => (
        <Waits key={`${group.from} ${group.to}`} group={group} chord={chord(group.from, group.to)}
          label={crowded ? null : label} />
      ))}
      {sky.flights.map((flight) => (
        <Flies key={flight.message.id} flight={flight} model={model}
          label={crowded && flight.way === "moving" ? null : label}
          chord={chord(flight.message.from, flight.message.to)} />
      ))}
      <Request model={model} circle={circle} moment={moment} step={step} />
    </g>
  );
}

interface Label extends Point {
  text: string;
}
type Labels = ((text: string, at: Point, high: number) => Label | null) | null;

function Word({ label }: { label: Label | null | undefined }) {
  return label ? <text class="ring-label" x={label.x} y={label.y}>{label.text}</text> : null;
}

function Waits({ group, chord, label }: { group: Waiting; chord: Chord | null; label: Labels }) {
  if (!chord) return null;
  const at = alongChord(chord, NEAR);
  const words = `${group.count} waiting: ${group.types.join(", ")}`;
  const many = group.count > 1;
  const names = group.types.join(", ");
  const short = names.length > 20 ? `${names.slice(0, 19)}…` : names;
  return (
    <g class="ring-waiting">
      <title>{words}</title>
      <path class="ring-way" d={pathOf(chord)} marker-end="url(#ring-head)" />
      <circle cx={at.x} cy={at.y} r={many ? 9 : 6} />
      {many ? <text class="ring-count" x={at.x} y={at.y}>{group.count}</text> : null}
      <Word label={label?.(short, at, many ? 16 : 13)} />
    </g>
  );
}

function Flies({ flight, model, chord, label }: {
  flight: Flight; model: DiagramModel; chord: Chord | null; label: Labels;
}) {
  if (!chord) return null;
  const { message, way, fallen } = flight;
  const at = alongChord(chord, flight.at);
  const gone = way === "dropped" || way === "lost";
  const y = at.y + fallen * 46;
  const word = way === "arrived" ? alongChord(chord, 0.8) : { x: at.x, y };
  return (
    <g class={`ring-flight ${way} ${message.copiedAt > 0 ? "copy" : ""}`}>
      <title>{messageWords(model, message).join("\n")}</title>
      <path class={`ring-way ${way === "arrived" ? "taken" : ""}`} d={pathOf(chord)}
        marker-end="url(#ring-head)" />
      <g style={{ opacity: String(1 - fallen * 0.85) }}>
        <circle cx={at.x} cy={y} r={7} />
        {gone ? <path class="ring-cross" d={`M${at.x - 7} ${y - 7}l14 14m0 -14l-14 14`} /> : null}
        {way === "lost" ? <rect class="ring-boxed" x={at.x - 11} y={y - 11} width={22} height={22} /> : null}
        <Word label={label?.(gone ? `${message.type} ${way}` : message.type, word, 14)} />
      </g>
    </g>
  );
}

// A request comes from outside, in the step that takes it.
function Request({ model, circle, moment, step }: Omit<Props, "sky">) {
  const next = moment > step ? step + 1 : step;
  if (next < 1 || next > model.rows) return null;
  const action = model.run.step(next);
  const lane = model.laneOfStep(action);
  if (action.kind !== "request" || lane < 0) return null;
  const place = placeOf(circle, lane, model.lanes.length);
  const left = Math.max(0, next - moment);
  const [dx, dy] = [circle.centre.x - place.x, circle.centre.y - place.y];
  const length = Math.hypot(dx, dy) || 1;
  // From the middle: outside of the circle stand the texts.
  const far = circle.node + 12 + left * (length - circle.node - 30);
  const [x, y] = [place.x + (dx / length) * far, place.y + (dy / length) * far];
  return (
    <g class="ring-flight request">
      <rect x={x - 6} y={y - 6} width={12} height={12} rx={2} />
      <text class="ring-label" x={x} y={y - 14}>{action.type}</text>
    </g>
  );
}
