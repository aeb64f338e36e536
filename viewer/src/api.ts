// The server, as the page sees it: one function per endpoint, and streams that go on where they were
// cut. When the server cannot be reached the page says so in one place, and asks again.
import { signal } from "@preact/signals";
import {
  fieldsOf, hereOf, jobOf, listOf, liveStatusOf, ranOf, steppedOf, suiteOf, textOf,
  type Address, type Fields, type Here, type Job, type LiveStatus, type Stepped, type Suite,
} from "./served/wire";
import type { Trace } from "./trace/format";
import { traceFromJson, type Outcome } from "./trace/read";

/** True while the last try to reach the server failed. */
export const gone = signal(false);
/** What can be opened; null until the server has told. */
export const suite = signal<Suite | null>(null);

/** What the server refused, in its words; or that it is not there. */
export class ApiError extends Error {
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

export const GONE = "the server cannot be reached; is 'ordeal serve' still running?";

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The words of an error, for people. */
export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function call(method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    const request: RequestInit = { method, cache: "no-store" };
    if (signal) request.signal = signal;
    if (method === "POST") {
      request.headers = { "Content-Type": "application/json" };
      request.body = JSON.stringify(body ?? {});
    }
    response = await fetch(path, request);
  } catch (error) {
    if (isAbort(error)) throw error;
    gone.value = true;
    throw new ApiError(GONE, 0);
  }
  gone.value = false;
  const text = await response.text();
  let json: unknown = null;
  try {
    json = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(`${path}: the server's answer (status ${response.status}) is no JSON`, response.status);
  }
  if (!response.ok) {
    const told = textOf(fieldsOf(json).error);
    throw new ApiError(told || `${path}: the server answered with status ${response.status}`, response.status);
  }
  return json;
}

function need<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new ApiError(outcome.error, 200);
  return outcome.value;
}

export interface JobOptions {
  strategy?: string;
  seed?: number;
  max_runs?: number;
  max_states?: number;
  max_depth?: number;
  max_seconds?: number;
  keep_going?: boolean;
  reduce?: string;
  symmetry?: boolean;
  iterations?: number;
  bug?: string;
  [setting: string]: string | number | boolean | undefined; // options of strategies, as the suite names them
}

export interface LiveOptions {
  unit_ms: number;
  latency_ms: [number, number];
  seed: number;
  hold_requests: boolean; // until a person sends them
}

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

export const api = {
  async suite(signal?: AbortSignal): Promise<Suite> {
    const told = suiteOf(await call("GET", "/api/suite", undefined, signal));
    suite.value = told;
    return told;
  },
  /** The run of an address, with the states of all parts. */
  async run(address: Address, signal?: AbortSignal): Promise<{ trace: Trace; here: Here }> {
    return need(ranOf(await call("POST", "/api/run", { address }, signal)));
  },
  async here(address: Address, signal?: AbortSignal): Promise<Here> {
    return hereOf(await call("POST", "/api/here", { address }, signal));
  },
  /** Takes one more step; `number` is the place that it will have. */
  async step(address: Address, choice: number, number: number, signal?: AbortSignal): Promise<Stepped> {
    return need(steppedOf(await call("POST", "/api/step", { address, choice }, signal), number));
  },
  async replay(trace: Trace, parameters: Record<string, string> = {}) {
    const told = fieldsOf(await call("POST", "/api/replay", { trace, parameters }));
    return {
      reproduced: told.reproduced === true,
      divergedAt: typeof told.diverged_at === "number" ? told.diverged_at : -1,
      why: textOf(told.why),
      trace: need(traceFromJson(told.trace)),
    };
  },
  async import(name: string, text: string, format = "auto", parser = ""): Promise<Trace> {
    const body: Fields = { name, text, format };
    if (parser) body.parser = parser;
    return need(traceFromJson(fieldsOf(await call("POST", "/api/import", body)).trace));
  },
  async check(address: Address, options: JobOptions): Promise<string> {
    return textOf(fieldsOf(await call("POST", "/api/jobs", { kind: "check", address, options })).id);
  },
  async scenarios(names: string[], options: JobOptions): Promise<string> {
    return textOf(fieldsOf(await call("POST", "/api/jobs", { kind: "scenarios", names, options })).id);
  },
  async jobs(): Promise<Job[]> {
    return listOf(fieldsOf(await call("GET", "/api/jobs")).jobs).map(jobOf);
  },
  async job(id: string): Promise<Job> {
    return jobOf(await call("GET", at("/api/jobs", id)));
  },
  async stopJob(id: string): Promise<void> {
    await call("POST", `${at("/api/jobs", id)}/stop`);
  },
  async live(system: string, parameters: Record<string, string>, options: LiveOptions): Promise<string> {
    return textOf(fieldsOf(await call("POST", "/api/live", { system, parameters, options })).id);
  },
  /** The live runs that the server keeps, newest first. */
  async lives(): Promise<{ id: string; what: string; running: boolean }[]> {
    return listOf(fieldsOf(await call("GET", "/api/live")).live).map(fieldsOf)
      .map((one) => ({ id: textOf(one.id), what: textOf(one.what), running: one.running === true }));
  },
  async liveSoFar(id: string): Promise<{ trace: Trace; status: LiveStatus }> {
    const told = fieldsOf(await call("GET", at("/api/live", id)));
    return { trace: need(traceFromJson(told.trace)), status: liveStatusOf(told.status) };
  },
  async liveCommand(id: string, text: string): Promise<string> {
    return textOf(fieldsOf(await call("POST", `${at("/api/live", id)}/command`, { text })).says);
  },
  async stopLive(id: string): Promise<void> {
    await call("POST", `${at("/api/live", id)}/stop`);
  },
};

let loading: Promise<Suite | null> | null = null;

/** Asks for the suite once; later calls return what was told. Null: the banner tells that the server is gone. */
export function loadSuite(): Promise<Suite | null> {
  if (suite.value) return Promise.resolve(suite.value);
  loading ??= api.suite().catch(() => null).finally(() => { loading = null; });
  return loading;
}

export interface Stream {
  close(): void;
}

type Source = Pick<EventSource, "addEventListener" | "close" | "onerror" | "onopen">;

/** How long to wait before the n-th try in a row. */
export const pause = (tries: number) => Math.min(5000, 250 * 2 ** Math.min(tries, 10));

/**
 * Listens to server-sent events. `url` is asked anew at every connection, so that it can say how far
 * the listener has come. A handler that returns true ends the stream.
 */
export function listen(
  url: () => string,
  handlers: Record<string, (data: unknown) => boolean | void>,
  open: (url: string) => Source = (place) => new EventSource(place),
): Stream {
  let source: Source | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let closed = false;
  const close = () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };
  const connect = () => {
    if (closed) return;
    const mine = open(url());
    source = mine;
    mine.onopen = () => {
      tries = 0;
      gone.value = false;
    };
    mine.onerror = () => {
      mine.close();
      if (closed) return;
      // One cut may be the end of an answer. After two in a row: is anybody there? If so, then this
      // stream is what is not there any more.
      if (++tries > 1) void api.suite().then(() => { if (tries > 2) close(); }, () => undefined);
      timer = setTimeout(connect, pause(tries));
    };
    for (const [name, handle] of Object.entries(handlers)) {
      mine.addEventListener(name, (event) => {
        if (closed) return;
        let data: unknown = null;
        try {
          data = JSON.parse((event as MessageEvent<string>).data);
        } catch {
          return; // a line that was cut; the next connection tells it again
        }
        if (handle(data) === true) close();
      });
    }
  };
  connect();
  return { close };
}
