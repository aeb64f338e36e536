// The server, as the page sees it: one function per endpoint, and streams that go on where they were
// cut. When the server cannot be reached the page says so in one place, and asks again.
import { signal } from "@preact/signals";
import {
  hereOf, importedOf, jobOf, jobsOf, livesOf, problemOf, ranOf, replayedOf, saysOf, soFarOf, startedOf, steppedOf, suiteOf,
  type Address, type Here, type Job, type JobOptions, type LiveOptions, type LiveStatus, type Stepped, type Suite,
} from "./served/read";
import type { Kinds } from "./trace/kinds";
import type { Answers, Asks, Events, ImportAsk, LiveName } from "./served/wire";
import type { Trace } from "./trace/format";
import type { Outcome } from "./trace/read";

export type { JobOptions, LiveOptions };

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

/** The places of the schema, with the id of a job or a live run where they have one. */
const pathOf = (place: string, id: string) => place.replace("ID", encodeURIComponent(id));

async function call(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    const request: RequestInit = { method, cache: "no-store" };
    if (signal) request.signal = signal;
    if (method === "POST") {
      request.headers = { "Content-Type": "application/json" };
      request.body = JSON.stringify(body);
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
    throw new ApiError(problemOf(json) || `${path}: the server answered with status ${response.status}`, response.status);
  }
  return json;
}

interface More {
  id?: string;
  signal?: AbortSignal | undefined;
}

function get(place: Exclude<keyof Answers, keyof Asks>, { id = "", signal }: More = {}): Promise<unknown> {
  return call("GET", pathOf(place.slice(4), id), undefined, signal);
}

function post<P extends keyof Asks>(place: P, body: Asks[P], { id = "", signal }: More = {}): Promise<unknown> {
  return call("POST", pathOf(place.slice(5), id), body, signal);
}

function need<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new ApiError(outcome.error, 200);
  return outcome.value;
}

export const api = {
  async suite(signal?: AbortSignal): Promise<Suite> {
    const told = suiteOf(await get("GET /api/suite", { signal }));
    suite.value = told;
    return told;
  },
  /** The run of an address, with the states of all parts. */
  async run(address: Address, signal?: AbortSignal): Promise<{ trace: Trace; here: Here }> {
    return need(ranOf(await post("POST /api/run", { address }, { signal })));
  },
  async here(address: Address, signal?: AbortSignal): Promise<Here> {
    return hereOf(await post("POST /api/here", { address }, { signal }));
  },
  /** Takes one more step of a run; `number` is the place that it will have. */
  async step(address: Address, choice: number, number: number, kinds: Kinds, signal?: AbortSignal): Promise<Stepped> {
    return need(steppedOf(await post("POST /api/step", { address, choice }, { signal }), number, kinds));
  },
  async replay(trace: Trace, parameters: Record<string, string> = {}) {
    return need(replayedOf(await post("POST /api/replay", { trace, parameters })));
  },
  async import(name: string, text: string, format: ImportAsk["format"] = "auto", parser = ""): Promise<Trace> {
    return need(importedOf(await post("POST /api/import", { name, text, format, ...(parser ? { parser } : {}) })));
  },
  async check(address: Address, options: JobOptions): Promise<string> {
    return startedOf(await post("POST /api/jobs", { kind: "check", address, options }));
  },
  async scenarios(names: string[], options: JobOptions): Promise<string> {
    return startedOf(await post("POST /api/jobs", { kind: "scenarios", names, options }));
  },
  async jobs(): Promise<Job[]> {
    return jobsOf(await get("GET /api/jobs"));
  },
  async job(id: string): Promise<Job> {
    return jobOf(await get("GET /api/jobs/ID", { id }));
  },
  async stopJob(id: string): Promise<void> {
    await post("POST /api/jobs/ID/stop", {}, { id });
  },
  async live(system: string, parameters: Record<string, string>, options: LiveOptions): Promise<string> {
    return startedOf(await post("POST /api/live", { system, parameters, options }));
  },
  /** The live runs that the server keeps, newest first. */
  async lives(): Promise<LiveName[]> {
    return livesOf(await get("GET /api/live"));
  },
  async liveSoFar(id: string): Promise<{ trace: Trace; status: LiveStatus }> {
    return need(soFarOf(await get("GET /api/live/ID", { id })));
  },
  async liveCommand(id: string, text: string): Promise<string> {
    return saysOf(await post("POST /api/live/ID/command", { text }, { id }));
  },
  async stopLive(id: string): Promise<void> {
    await post("POST /api/live/ID/stop", {}, { id });
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

type Handler = (data: unknown) => boolean | void;
type Source = Pick<EventSource, "addEventListener" | "close" | "onerror" | "onopen">;

/** How long to wait before the n-th try in a row. */
export const pause = (tries: number) => Math.min(5000, 250 * 2 ** Math.min(tries, 10));

/** What to do about the events of a stream: those that the schema has for it. */
export type Handlers<P extends keyof Events> = { [E in keyof Events[P]]?: (data: unknown) => boolean | void };

/**
 * Listens to server-sent events. `query` is asked anew at every connection, so that it can say how far
 * the listener has come. A handler that returns true ends the stream.
 */
export function listen<P extends keyof Events>(
  place: P, id: string, query: () => string, handlers: Handlers<P>,
  open: (url: string) => Source = (url) => new EventSource(url),
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
    const mine = open(pathOf(place.slice(4), id) + query());
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
    for (const [name, handle] of Object.entries<Handler | undefined>(handlers)) {
      if (!handle) continue;
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
