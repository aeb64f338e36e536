// All that a picture depends on. Painters read it and draw; they keep nothing.
import type { Run } from "../trace/run";
import { coneOfEdge, FUTURE, PAST, type Cone, type LaneStretch } from "./causal";
import type { Columns, Detail, Places, View } from "./layout";
import type { DiagramModel } from "./model";
import type { ColourName, Palette } from "./palette";

export interface Scene {
  run: Run;
  model: DiagramModel;
  columns: Columns;
  view: View;
  width: number;
  height: number;
  palette: Palette;
  detail: Detail;
  low: number; // the rows that are seen
  high: number;
  selected: number;
  hovered: number; // a row; -1: none
  hoveredMessage: number; // its id; -1: none
  cone: Cone | null;
  stretches: readonly LaneStretch[]; // of lanes in the cone
  hidden: ReadonlySet<string>;
  matches: readonly number[]; // rows that a search found, ascending
}

export interface Stats {
  arrows: number;
  marks: number;
  texts: number;
  bars: number;
  points: number; // where operations take effect
  unplaced: number; // operations that have no place
  matches: number;
}

export interface Brush {
  ctx: CanvasRenderingContext2D;
  scene: Scene;
  places: Places;
  stats: Stats;
  widthOf: (text: string) => number; // in the font of labels
}

const DIMMED = 0.18;

/** Whether rows or edges stand back because others are highlighted. */
export function rowAlpha(scene: Scene, row: number): number {
  return scene.cone && !scene.cone[row] ? DIMMED : 1;
}
export function edgeAlpha(scene: Scene, from: number, to: number): number {
  return scene.cone && !coneOfEdge(scene.cone, from, to) ? DIMMED : 1;
}

/** The colour of an edge: that of the cone it is in, else its own. */
export function edgeColour(scene: Scene, from: number, to: number, own: ColourName): ColourName {
  const cone = scene.cone ? coneOfEdge(scene.cone, from, to) : 0;
  if (cone & PAST) return "past";
  return cone & FUTURE ? "future" : own;
}

/** Cuts a text of a fixed-width font to the room there is. */
export function cutTo(text: string, room: number, charWidth: number): string {
  const most = Math.floor(room / charWidth);
  if (text.length <= most) return text;
  return most < 2 ? "" : text.slice(0, most - 1) + "…";
}

/**
 * Cuts the text of a step in its middle: where it happens, near the end of the text, is kept. In narrow
 * columns "deliver" is left out everywhere, as the arrow says the same.
 */
export function cutLabel(whole: string, room: number, charWidth: number): string {
  const text = room < NARROW * charWidth ? whole.replace(/^deliver /, "") : whole;
  if (text.length * charWidth <= room) return text;
  const [tail, place] = / (\S+→\S+|at \S+)(?: \[[^\]]*\])*$/.exec(text) ?? ["", ""];
  const left = room - (place!.length + 1) * charWidth;
  if (place === "" || left < 4 * charWidth) return cutTo(text, room, charWidth);
  return `${cutTo(text.slice(0, text.length - tail.length), left, charWidth)} ${place}`;
}

const NARROW = 48; // characters
