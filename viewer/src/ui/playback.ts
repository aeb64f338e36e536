// Playback: moves the selected step by itself. The position runs smoothly from step to step, for views
// in which messages move; the selected step is the last one that it has passed.
import { effect, signal } from "@preact/signals";
import * as store from "../store";

export const playing = signal(false);
export const speed = signal(1);
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

/** In steps; between two whole numbers a step is on its way. */
export const position = signal(0);

const STEPS_PER_SECOND = 1.2; // at speed 1
const GLIDE = 420; // milliseconds from one step to the next by hand

let frame = 0;
let last = 0;
let glideTo = -1; // by hand: where the position glides to; -1: nowhere

const calm = () =>
  typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

function arm(): void {
  if (frame !== 0 || typeof requestAnimationFrame !== "function") return;
  last = performance.now();
  frame = requestAnimationFrame(tick);
}

function tick(now: number): void {
  frame = 0;
  const seconds = Math.max(0, Math.min(0.25, (now - last) / 1000));
  last = now;
  if (playing.value) {
    advance(seconds);
  } else if (glideTo >= 0) {
    const way = glideTo - position.value;
    const by = (seconds * 1000) / GLIDE;
    if (Math.abs(way) <= by) {
      position.value = glideTo;
      glideTo = -1;
    } else {
      position.value += Math.sign(way) * by;
    }
  }
  if (playing.value || glideTo >= 0) frame = requestAnimationFrame(tick);
}

/** Plays on by some seconds; at the end it stops, or goes on round the cycle of a run that has one. */
export function advance(seconds: number): void {
  const end = store.run.value?.length ?? 0;
  const on = position.value + seconds * STEPS_PER_SECOND * speed.value;
  const next = on >= end && store.run.value?.goesRound ? wrapped(on) : Math.min(end, on);
  position.value = next;
  if (Math.floor(next) !== store.step.value) store.step.value = Math.floor(next);
  if (next >= end) playing.value = false;
}

/** Where a run that goes round is after so many steps. */
function wrapped(position: number): number {
  const run = store.run.value!;
  const round = run.length - run.loopStart!;
  return run.loopStart! + ((position - run.loopStart!) % round);
}

export function play(): void {
  const end = store.run.value?.length ?? 0;
  if (store.step.value >= end) {
    store.step.value = store.run.value?.goesRound ? store.run.value.loopStart! : 0;
    position.value = store.step.value;
  }
  glideTo = -1;
  position.value = Math.max(position.value, store.step.value);
  playing.value = true;
  arm();
}

export function pause(): void {
  playing.value = false;
  position.value = store.step.value;
}

export function toggle(): void {
  if (playing.value) pause();
  else play();
}

export function changeSpeed(way: 1 | -1): void {
  const at = SPEEDS.indexOf(speed.value);
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + way))] ?? 1;
}

/** Keeps the position with the selected step: a single step glides, anything else jumps. */
export function followSteps(): () => void {
  return effect(() => {
    const step = store.step.value;
    const now = position.peek();
    if (playing.peek() && Math.floor(now) === step) return;
    const near = Math.abs(step - now) <= 1 + 1e-9 && step !== now;
    if (near && !calm() && !playing.peek()) {
      glideTo = step;
      arm();
    } else {
      glideTo = -1;
      position.value = step;
    }
  });
}
