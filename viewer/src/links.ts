// Deep links: what a URL says after '#'. `#system=raft&p.nodes=3&bug=x&short=0.1.2&view=diagram&step=5`
// holds enough to run it again on another machine.
import type { Address } from "./served/read";
import type { ViewName } from "./store";
import type { Trace } from "./trace/format";
import { failure, type Outcome } from "./trace/read";

export interface Link {
  address: Address | null; // null: the link names no run
  view: ViewName | null;
  step: number | null;
}

const VIEWS: readonly string[] =
  ["overview", "diagram", "ring", "state", "steps", "compare", "report", "fork", "explore", "live", "open"];

/** Longer runs are passed on as files. */
export const LONGEST_SHORT = 20_000;

const SHORT = /^(\d+:)?(\d+(\.\d+)*)?$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

const quoted = (text: string) => `'${text.length > 60 ? text.slice(0, 59) + "…" : text}'`;

/** What stands after '#', with or without it. Fields that are unknown are ignored. */
export function parseLink(hash: string): Outcome<Link> {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const link: Link = { address: null, view: null, step: null };
  const view = fields.get("view");
  if (view !== null) {
    if (!VIEWS.includes(view)) return failure(`view=${quoted(view)}: expected one of ${VIEWS.join(", ")}`);
    link.view = view as ViewName;
  }
  const step = fields.get("step");
  if (step !== null) {
    if (!/^\d{1,9}$/.test(step)) return failure(`step=${quoted(step)}: expected a whole number from 0`);
    link.step = Number(step);
  }
  const system = fields.get("system");
  if (system === null) return { ok: true, value: link };
  if (!NAME.test(system)) return failure(`system=${quoted(system)}: expected the name of a subject, such as 'raft'`);
  const parameters: Record<string, string> = {};
  for (const [key, value] of fields) {
    if (!key.startsWith("p.")) continue;
    const name = key.slice(2);
    if (!NAME.test(name)) return failure(`${quoted(key)}: expected p. and the name of a parameter`);
    parameters[name] = value;
  }
  const bug = fields.get("bug");
  if (bug) parameters.bug = bug;
  const short = fields.get("short") ?? "";
  if (!SHORT.test(short)) return failure(`short=${quoted(short)}: expected a short form, such as 0.1.3.2`);
  link.address = { system, parameters };
  const scenario = fields.get("scenario");
  if (scenario) link.address.scenario = scenario;
  if (short) link.address.short = short;
  if (fields.get("free") === "1") link.address.free_faults = true;
  return { ok: true, value: link };
}

export function printLink(link: Link, isDefault: (name: string, value: string) => boolean = () => false): string {
  const parts: string[] = [];
  const add = (name: string, value: string) =>
    parts.push(`${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2C", ",")}`);
  const address = link.address;
  if (address) {
    add("system", address.system);
    for (const name of Object.keys(address.parameters).sort()) {
      const value = address.parameters[name]!;
      if (name === "bug" || value === "" || isDefault(name, value)) continue;
      add(`p.${name}`, value);
    }
    if (address.parameters.bug && address.parameters.bug !== "none") add("bug", address.parameters.bug);
    if (address.scenario) add("scenario", address.scenario);
    if (address.short) add("short", address.short);
    if (address.free_faults) add("free", "1");
  }
  if (link.view) add("view", link.view);
  if (link.step !== null) add("step", String(link.step));
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** The short form of the first `length` steps. */
export function shortOf(trace: Trace, length = trace.steps.length): string {
  const choices = trace.steps.slice(0, length).map((step) => step.choice).join(".");
  const initial = trace.initial ?? 0;
  return initial > 0 ? `${initial}:${choices}` : choices;
}

/** Null: the run comes from another tool, and nobody can run it again. */
export function addressOf(trace: Trace, length = trace.steps.length): Address | null {
  if (trace.source) return null;
  const address: Address = {
    system: trace.system, parameters: { ...trace.parameters }, short: shortOf(trace, length),
  };
  if (trace.scenario) address.scenario = trace.scenario;
  if (trace.free_faults) address.free_faults = true;
  return address;
}

const plain = (short: string | undefined) => (short ?? "").replace(/^0:/, "");

/**
 * Whether a trace is the run that an address names. A parameter that the address leaves out has its
 * default; who does not know the defaults lets any value fit.
 */
export function fits(
  trace: Trace, address: Address, isDefault: (name: string, value: string) => boolean = () => true,
): boolean {
  if (trace.system !== address.system || (trace.scenario ?? "") !== (address.scenario ?? "")) return false;
  if ((trace.parameters?.bug ?? "none") !== (address.parameters.bug ?? "none")) return false;
  if (address.short !== undefined && plain(shortOf(trace)) !== plain(address.short)) return false;
  const { parameters = {} } = trace;
  const left = Object.keys(parameters).filter((name) => name !== "bug" && !(name in address.parameters));
  if (!left.every((name) => parameters[name] === "" || isDefault(name, parameters[name]!))) return false;
  return Object.entries(address.parameters)
    .every(([name, value]) => name === "bug" || (trace.parameters?.[name] ?? "") === value);
}

const argument = (text: string) =>
  /^[A-Za-z0-9_.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The options that name a subject on the command line. */
export function subjectWords(address: Address, isDefault: (name: string, value: string) => boolean = () => false): string {
  const words = [argument(address.system)];
  for (const name of Object.keys(address.parameters).sort()) {
    const value = address.parameters[name]!;
    if (value === "" || (name === "bug" && value === "none") || isDefault(name, value)) continue;
    words.push(`--${name}${value === "yes" || value === "no" ? "=" : " "}${argument(value)}`);
  }
  if (address.scenario) words.push(`--scenario ${argument(address.scenario)}`);
  return words.join(" ");
}

/** How a terminal runs it again. */
export function replayCommand(address: Address, isDefault?: (name: string, value: string) => boolean): string {
  return `ordeal replay ${address.short || "0:"} ${subjectWords(address, isDefault)}`;
}
