// Traces for tests: read from tests/data, written by the command, or made here at any length.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Kind, Sent, Step, Trace } from "../src/trace/format";

const repository = fileURLToPath(new URL("../..", import.meta.url));
/** The command that was built; tests that need it say so. */
export const command = process.env.ORDEAL ?? join(repository, "build/release/ordeal");

/** The view documents of what `ordeal ARGUMENTS --html FILE` writes. */
export function reportOf(args: string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "ordeal-e2e-")), "report.html");
  try {
    execFileSync(command, [...args, "--html", file], { stdio: "pipe" });
  } catch (error) {
    // 1: violated, 2: undecided. Both wrote the page.
    const status = (error as { status?: number }).status;
    if (status !== 1 && status !== 2) throw error;
  }
  return file;
}

export function readReport(file: string): { runs: { name: string; role: string; trace: Trace }[] } {
  const page = readFileSync(file, "utf8");
  const data = /<script type="application\/json" id="ordeal-view">([^]*?)<\/script>/.exec(page);
  if (!data) throw new Error(`${file} holds no view document`);
  return JSON.parse(data[1]!);
}

const hex = (number: number) => number.toString(16).padStart(16, "0");

/** A run of `nodes` nodes that pass messages on, with timers, crashes, drops and client operations. */
export function madeTrace(length: number, nodes = 5, seed = 1): Trace {
  let state = seed >>> 0;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const types = ["Ask", "Answer", "Append", "Ack"];
  const ids = Array.from({ length: nodes }, (_, i) => i + 1);
  const flying: { sent: Sent; at: number }[] = [];
  const last = new Map<number, number>();
  const term = new Map<number, number>(ids.map((id) => [id, 0]));
  const down = new Set<number>();
  const open = new Set<number>();
  const steps: Step[] = [];
  let digest = 1;
  const send = (from: number, at: number): Sent => {
    const to = ids[(ids.indexOf(from) + 1 + below(nodes - 1)) % nodes]!;
    const type = types[below(types.length)]!;
    const sent: Sent = { kind: "deliver", from, to, type, text: `${type}{n: ${at}}`, payload_digest: hex(++digest) };
    flying.push({ sent, at });
    return sent;
  };
  for (let number = 1; number <= length; ++number) {
    const step: Step = { step: number, kind: "timer", choice: 0, enabled: 1, digest: hex(number) };
    const draw = below(100);
    let node = ids[below(nodes)]!;
    if (flying.length > 0 && draw < 80) {
      const at = below(Math.min(flying.length, 8));
      const { sent, at: sentAt } = flying.splice(at, 1)[0]!;
      const kind: Kind = draw < 3 || down.has(sent.to!) ? "drop" : "deliver";
      node = sent.to!;
      Object.assign(step, {
        kind, node, from: sent.from, type: sent.type, payload: { $type: sent.type, n: sentAt },
        payload_digest: sent.payload_digest, causes: [...new Set([sentAt, last.get(node) ?? 0])].sort((a, b) => a - b),
      });
    } else {
      const kind: Kind = down.has(node) ? "recover" : draw > 97 && nodes - down.size > 2 ? "crash" : "timer";
      if (kind === "recover") down.delete(node);
      if (kind === "crash") down.add(node);
      Object.assign(step, { kind, node, causes: [last.get(node) ?? 0] });
      if (kind === "timer") step.type = "tick";
    }
    if (step.kind === "deliver" || step.kind === "timer") {
      step.sent = Array.from({ length: flying.length > 20 ? below(2) : 1 + below(2) }, () => send(node, number));
      const now = term.get(node)! + 1;
      term.set(node, now);
      step.changes = [{ path: "term", before: String(now - 1), after: String(now) }];
      step.parts = [{ name: `node ${node}`, patch: [{ op: "replace", path: "/term", value: now }] }];
      if (number % 17 === 0) {
        const returns = open.has(node);
        step.history = [{ client: node, event: returns ? "return" : "invoke", text: returns ? "ok" : `write ${number}` }];
        if (returns) open.delete(node); else open.add(node);
      }
    } else if (step.kind !== "drop") {
      step.parts = [{ name: `node ${node}`, up: step.kind === "recover" }];
    }
    if (step.kind !== "drop") last.set(node, number);
    steps.push(step);
  }
  return {
    format: "ordeal-trace", version: 1, system: "made", parameters: { nodes: String(nodes) }, strategy: "made", seed,
    short: "", verdict: null, minimised_from: 0, nodes: ids,
    node_types: Object.fromEntries(ids.map((id) => [String(id), "Server"])), initial: 0, initial_digest: hex(0),
    initially: {
      parts: ids.map((id) => ({ name: `node ${id}`, node: id, type: "Server", tree: { $type: "Server", term: 0, log: [] } })),
    },
    steps,
  };
}
