// Nodes in a circle, and the ways between them.

export interface Point {
  x: number;
  y: number;
}

export interface Circle {
  centre: Point;
  radius: number;
  node: number; // the radius of a node
}

const SIDE = 180; // room for texts at the sides, where there is much
const ENDS = 110; // and above and below

export function circleOf(count: number, width: number, height: number): Circle {
  const side = Math.min(SIDE, width * 0.24);
  const radius = Math.max(60, Math.min((width - 2 * side) / 2, (height - 2 * ENDS) / 2));
  const room = (2 * Math.PI * radius) / Math.max(3, count);
  const node = Math.max(11, Math.min(34, room * 0.23, radius * 0.17));
  return { centre: { x: width / 2, y: height / 2 }, radius, node };
}

/** The first node is at the top; the others follow clockwise. */
export function angleOf(index: number, count: number): number {
  return (2 * Math.PI * index) / Math.max(1, count) - Math.PI / 2;
}

export function placeOf(circle: Circle, index: number, count: number): Point {
  const angle = angleOf(index, count);
  const radius = count === 1 ? 0 : circle.radius;
  return {
    x: circle.centre.x + radius * Math.cos(angle), y: circle.centre.y + radius * Math.sin(angle),
  };
}

/** A bent way from edge to edge, so that there and back are two different ways. */
export interface Chord {
  from: Point;
  bend: Point;
  to: Point;
}

export function chordOf(a: Point, b: Point, node: number): Chord {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length < 1) {
    // To itself: out and back above the node.
    const from = { x: a.x - node * 0.7, y: a.y - node * 0.72 };
    const to = { x: a.x + node * 0.7, y: a.y - node * 0.72 };
    return { from, bend: { x: a.x, y: a.y - node * 3.4 }, to };
  }
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const off = Math.min(26, length * 0.09);
  const bend = { x: (a.x + b.x) / 2 - uy * off, y: (a.y + b.y) / 2 + ux * off };
  const edge = (point: Point, towards: Point): Point => {
    const way = Math.hypot(towards.x - point.x, towards.y - point.y) || 1;
    return {
      x: point.x + ((towards.x - point.x) / way) * (node + 3),
      y: point.y + ((towards.y - point.y) / way) * (node + 3),
    };
  };
  return { from: edge(a, bend), bend, to: edge(b, bend) };
}

export function alongChord(chord: Chord, t: number): Point {
  const s = 1 - t;
  const [a, b, c] = [s * s, 2 * s * t, t * t];
  return {
    x: a * chord.from.x + b * chord.bend.x + c * chord.to.x,
    y: a * chord.from.y + b * chord.bend.y + c * chord.to.y,
  };
}

export const pathOf = ({ from, bend, to }: Chord) =>
  `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ` +
  `${to.x.toFixed(1)} ${to.y.toFixed(1)}`;

/** Where the texts of a node stand: outside of the circle. */
export interface Beside {
  x: number;
  y: number; // of the first line
  anchor: "start" | "middle" | "end";
}

export function besideOf(
  circle: Circle, index: number, count: number, lines: number, line: number,
): Beside {
  const at = placeOf(circle, index, count);
  const angle = angleOf(index, count);
  const [cos, sin] = count === 1 ? [0, 1] : [Math.cos(angle), Math.sin(angle)];
  const out = circle.node + 12;
  const tall = lines * line;
  if (Math.abs(cos) < 0.35) {
    const y = sin < 0 ? at.y - out - tall + line / 2 : at.y + out + line / 2;
    return { x: at.x, y, anchor: "middle" };
  }
  const y = at.y + sin * 10 - tall / 2 + line / 2;
  return { x: at.x + Math.sign(cos) * out, y, anchor: cos > 0 ? "start" : "end" };
}
