import { afterEach, describe, expect, it, vi } from "vitest";
import { api, gone, GONE, listen, pause } from "./api";
import { hereOf, jobOf, liveStatusOf, steppedOf, suiteOf } from "./served/read";
import { Kinds } from "./trace/kinds";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  gone.value = false;
});

function answering(status: number, text: string) {
  const calls: { path: string; request: RequestInit }[] = [];
  vi.stubGlobal("fetch", (path: string, request: RequestInit) => {
    calls.push({ path, request });
    return Promise.resolve(new Response(text, { status }));
  });
  return calls;
}

describe("A call", () => {
  it("sends JSON and reads what comes back", async () => {
    const calls = answering(200, '{"actions":[{"choice":3,"text":"crash 1","kind":"crash","node":1}],"terminal":false}');
    const here = await api.here({ system: "raft", parameters: { nodes: "3" }, short: "0.1" });
    expect(here.actions).toEqual([{ choice: 3, text: "crash 1", kind: "crash", node: 1, from: -1, type: "", progress: false }]);
    expect(calls[0]!.path).toBe("/api/here");
    expect(calls[0]!.request.headers).toEqual({ "Content-Type": "application/json" });
    expect(JSON.parse(String(calls[0]!.request.body)))
      .toEqual({ address: { system: "raft", parameters: { nodes: "3" }, short: "0.1" } });
  });

  it("that is refused says what the server said", async () => {
    answering(400, '{"error":"short: step 3 has 2 actions; expected less than 2"}');
    await expect(api.here({ system: "raft", parameters: {} })).rejects.toThrow("step 3 has 2 actions");
    answering(500, "");
    await expect(api.jobs()).rejects.toThrow("status 500");
    answering(200, "<html>");
    await expect(api.jobs()).rejects.toThrow("is no JSON");
  });

  it("that reaches nobody marks the server as gone, until one does", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(api.suite()).rejects.toThrow(GONE);
    expect(gone.value).toBe(true);
    answering(200, "{}");
    await api.suite();
    expect(gone.value).toBe(false);
  });

  it("that was given up does not mark it", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(Object.assign(new Error("gave up"), { name: "AbortError" })));
    await expect(api.suite()).rejects.toThrow("gave up");
    expect(gone.value).toBe(false);
  });

  it("with an id keeps it in one part of the path", async () => {
    const calls = answering(200, "{}");
    await api.stopJob("../live/1");
    expect(calls[0]!.path).toBe("/api/jobs/..%2Flive%2F1/stop");
  });
});

class Source {
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  readonly heard: Record<string, (event: { data: string }) => void> = {};
  addEventListener(name: string, handle: unknown) {
    this.heard[name] = handle as (event: { data: string }) => void;
  }
  close() {
    this.closed = true;
  }
}

describe("A stream", () => {
  it("goes on where it was cut", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const opened: string[] = [];
    const sources: Source[] = [];
    let seen = 0;
    const stream = listen("GET /api/live/ID/stream", "7/8", () => `?from=${seen}`, { step: () => { ++seen; } }, (url) => {
      opened.push(url);
      sources.push(new Source());
      return sources.at(-1) as never;
    });
    sources[0]!.heard.step!({ data: "{}" });
    sources[0]!.heard.step!({ data: "{}" });
    sources[0]!.heard.step!({ data: "{ cut" });
    sources[0]!.onerror!();
    expect(sources[0]!.closed).toBe(true);
    expect(gone.value).toBe(false);
    await vi.advanceTimersByTimeAsync(pause(1));
    expect(opened).toEqual(["/api/live/7%2F8/stream?from=0", "/api/live/7%2F8/stream?from=2"]);
    sources[1]!.onerror!();
    await vi.advanceTimersByTimeAsync(pause(2));
    expect(gone.value).toBe(true);
    sources[2]!.onopen!();
    expect(gone.value).toBe(false);
    stream.close();
    sources[2]!.onerror!();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sources.length).toBe(3);
  });

  it("that the server does not know any more is given up", async () => {
    vi.useFakeTimers();
    answering(200, "{}");
    let opened = 0;
    listen("GET /api/jobs/ID/stream", "1", () => "", {}, () => {
      ++opened;
      const source = new Source();
      setTimeout(() => source.onerror?.());
      return source as never;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toBe(3);
    expect(gone.value).toBe(false);
  });

  it("ends when a handler says that it is over", () => {
    const source = new Source();
    listen("GET /api/live/ID/stream", "1", () => "", { over: () => true }, () => source as never);
    source.heard.over!({ data: "{}" });
    expect(source.closed).toBe(true);
  });

  it("waits longer and longer, but not for ever", () => {
    expect(pause(1)).toBeLessThan(pause(2));
    expect(pause(1000)).toBe(5000);
  });
});

describe("What the server says", () => {
  it("is taken as far as it is understood", () => {
    for (const odd of [null, 7, "x", [], { actions: 3, jobs: {}, nodes: "1", subjects: [null, 4] }]) {
      expect(hereOf(odd).actions).toEqual([]);
      expect(suiteOf(odd).subjects).toEqual([]);
      expect(jobOf(odd).state).toBe("running");
      expect(liveStatusOf(odd).nodes).toEqual([]);
    }
  });

  it("about parameters keeps kinds and ranges", () => {
    const subject = suiteOf({
      subjects: [{
        name: "raft", what: "a log", bugs: [{ name: "b", what: "bad" }],
        parameters: [
          { name: "servers", what: "how many", default: "3", kind: "number", least: 1, most: 9 },
          { name: "time", default: "none", words: ["none", "ordered"] },
          { name: "writers", default: "" },
          { name: "joint", default: "", kind: "flag" },
        ],
      }],
    }).subjects[0]!;
    expect(subject.parameters.map((p) => p.kind)).toEqual(["number", "word", "word", "flag"]);
    expect(subject.parameters[3]!.default).toBe("no");
    expect(subject.parameters[0]).toMatchObject({ least: 1, most: 9, default: "3" });
    expect(subject.bugs).toEqual([{ name: "b", what: "bad" }]);
  });

  it("about a step is refused with the place when it is none", () => {
    const kinds = new Kinds({ format: "ordeal-trace", version: 1, system: "", steps: [] });
    const wrong = steppedOf({ step: { kind: "no such", choice: 0 } }, 4, kinds);
    expect(wrong.ok ? "" : wrong.error).toContain('steps[3].kind: found "no such"');
    const late = steppedOf({ step: { kind: "timer", choice: 0, causes: [4] } }, 4, kinds);
    expect(late.ok ? "" : late.error).toContain("steps[3].causes[0]: found 4");
    const right = steppedOf({ step: { kind: "timer", choice: 0, step: 4 }, short: "0", verdict: null, here: {} }, 4, kinds);
    expect(right.ok && right.value.verdict).toBeNull();
  });
});
