// A run that goes on in real time on the server, and grows here as its records come.
import { signal } from "@preact/signals";
import { api, listen, wordsOf, type LiveOptions, type Stream } from "../api";
import * as store from "../store";
import { stepFromJson } from "../trace/read";
import { Run } from "../trace/run";
import { nameOf } from "./linking";
import { fieldsOf, liveStatusOf, noteOf, numberOf, overOf, type LiveStatus } from "./read";

export interface Line {
  id: number;
  kind: "said" | "typed" | "wrong";
  text: string;
}

export interface Session {
  id: string;
  run: Run;
}

export const session = signal<Session | null>(null);
export const status = signal<LiveStatus | null>(null);
export const lines = signal<Line[]>([]);
/** Why the run is over; "" while it goes on. */
export const over = signal("");
/** Show the newest step as it comes. */
export const following = signal(true);

const MOST_LINES = 300;
let count = 0;
let stream: Stream | null = null;
let drawing = 0;
let notesHeard = 0;

export function say(text: string, kind: Line["kind"] = "said"): void {
  if (text) lines.value = [...lines.value, { id: ++count, kind, text }].slice(-MOST_LINES);
}

/** Draws once a frame, however many steps came. */
function drawSoon(run: Run): void {
  if (drawing) return;
  drawing = requestAnimationFrame(() => {
    drawing = 0;
    store.revision.value = store.revision.peek() + 1;
    if (following.value && store.run.value === run) store.selectStep(run.length);
  });
}

/** Adds a record to a run. False: one before it is missing, the stream must begin again. */
export function appendTo(run: Run, data: unknown): boolean {
  const number = numberOf(fieldsOf(data).step, run.length + 1);
  if (number <= run.length) return true; // told again after a cut
  if (number > run.length + 1) return false;
  const step = stepFromJson(data, number, run.kinds);
  if (!step.ok) throw new Error(step.error);
  run.append(step.value);
  return true;
}

/** What a status says about the properties becomes the verdict of the run: the earliest violation. */
export function judge(run: Run, told: LiveStatus): boolean {
  const bad = told.verdicts.filter((verdict) => verdict.violated).sort((a, b) => a.step - b.step)[0];
  if (!bad || run.trace.verdict) return false;
  const step = Math.min(bad.step || run.length, run.length);
  run.trace.verdict = { property: bad.property, kind: bad.kind, why: bad.why, nodes: bad.nodes, step };
  run.role = "violation";
  return true;
}

function listenTo(id: string, run: Run): void {
  stream?.close();
  const restart = () => listenTo(id, run);
  let told = 0; // notes of this connection; each tells them from the first
  const from = () => {
    told = 0;
    return `?from=${run.length}`;
  };
  stream = listen("GET /api/live/ID/stream", id, from, {
    step: (data) => {
      try {
        if (!appendTo(run, data)) setTimeout(restart);
      } catch (error) {
        say(wordsOf(error), "wrong");
      }
      drawSoon(run);
    },
    status: (data) => {
      const now = liveStatusOf(data);
      status.value = now;
      if (judge(run, now)) {
        store.runs.value = [...store.runs.value];
        store.notice.value = `violated: ${run.trace.verdict?.property ?? ""}`;
      }
    },
    note: (data) => {
      if (++told <= notesHeard) return;
      notesHeard = told;
      say(noteOf(data));
    },
    over: (data) => {
      over.value = overOf(data) || "it was stopped";
      say(`over: ${over.value}`);
      void finish(id, run);
      return true;
    },
  });
}

/** The recording is whole: take its last words. */
async function finish(id: string, run: Run): Promise<void> {
  try {
    const { trace, status: told } = await api.liveSoFar(id);
    status.value = { ...told, running: false };
    for (const step of trace.steps.slice(run.length)) run.append(step);
    run.trace.verdict = trace.verdict ?? run.trace.verdict ?? null;
    if (trace.short !== undefined) run.trace.short = trace.short;
    store.runs.value = [...store.runs.value];
    drawSoon(run);
  } catch {
    // The banner tells that the server is gone; what has come stays.
  }
}

/** Shows a live run from its start, and goes on with it. */
export async function watch(id: string, name: string): Promise<void> {
  const { trace, status: told } = await api.liveSoFar(id);
  const run = new Run(trace, name, trace.verdict ? "violation" : "run");
  session.value = { id, run };
  status.value = told;
  over.value = told.running ? "" : told.why || "it is over";
  lines.value = [];
  notesHeard = 0;
  following.value = true;
  store.addRun(run, run.length);
  if (told.running) listenTo(id, run);
}

/** Starts the nodes of a subject. */
export async function start(system: string, parameters: Record<string, string>, options: LiveOptions): Promise<void> {
  const id = await api.live(system, parameters, options);
  await watch(id, `live ${nameOf({ system, parameters })}`);
}

/** Does what a line says; the answer appears below. */
export async function command(text: string): Promise<void> {
  const current = session.value;
  if (!current || text.trim() === "") return;
  say(text.trim(), "typed");
  try {
    say(await api.liveCommand(current.id, text.trim()));
  } catch (error) {
    // The server names the field of the request; here there is but one line.
    say(wordsOf(error).replace(/^text: /, ""), "wrong");
  }
}

export async function stop(): Promise<void> {
  if (session.value) await api.stopLive(session.value.id);
}

/** Back to the form; the recording stays among the runs. */
export function leave(): void {
  stream?.close();
  stream = null;
  session.value = null;
  status.value = null;
}
