import { afterEach, beforeEach, expect, test } from "vitest";
import { madeTrace } from "../../e2e/traces";
import * as store from "../store";
import { Run } from "../trace/run";
import * as playback from "./playback";

beforeEach(() => {
  store.runs.value = [new Run(madeTrace(10))];
  store.selectRun(0, 0);
  playback.position.value = 0;
  playback.speed.value = 1;
  playback.playing.value = false;
});
afterEach(() => playback.pause());

test("playing moves the selected step, and stops at the end", () => {
  playback.playing.value = true;
  playback.advance(2);
  expect(store.step.value).toBe(2);
  expect(playback.position.value).toBeCloseTo(2.4);
  playback.advance(100);
  expect(store.step.value).toBe(10);
  expect(playback.playing.value).toBe(false);
});

test("speed has steps between a quarter and sixteen", () => {
  for (let i = 0; i < 20; ++i) playback.changeSpeed(1);
  expect(playback.speed.value).toBe(16);
  for (let i = 0; i < 20; ++i) playback.changeSpeed(-1);
  expect(playback.speed.value).toBe(0.25);
  playback.advance(4);
  expect(playback.position.value).toBeCloseTo(1.2);
});

test("playing at the end begins anew", () => {
  store.selectStep(10);
  playback.play();
  expect(store.step.value).toBe(0);
});

test("pausing rests on a whole step, and a jump takes the position along", () => {
  const stop = playback.followSteps();
  playback.advance(1);
  playback.pause();
  expect(playback.position.value).toBe(1);
  store.selectStep(7);
  expect(playback.position.value).toBe(7);
  stop();
});

test("a run that goes round is played round, and by hand once more", () => {
  store.runs.value = [new Run({ ...madeTrace(10), loop_start: 4 })];
  store.selectRun(0, 9);
  playback.position.value = 9;
  playback.playing.value = true;
  playback.advance(2.5); // three steps: 10, which is 4, then 5 and 6
  expect(store.step.value).toBe(6);
  expect(playback.playing.value).toBe(true);
  playback.advance(1000);
  expect(store.step.value).toBeGreaterThanOrEqual(4);
  expect(store.step.value).toBeLessThan(10);
  playback.pause();
  store.selectStep(10);
  playback.play();
  expect(store.step.value).toBe(4);
});

test("a run whose last state stays ends there", () => {
  store.runs.value = [new Run({ ...madeTrace(10), loop_start: 10 })];
  store.selectRun(0, 9);
  playback.position.value = 9;
  playback.playing.value = true;
  playback.advance(100);
  expect(store.step.value).toBe(10);
  expect(playback.playing.value).toBe(false);
});
