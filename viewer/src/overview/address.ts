// How to come back to a run: the commands that run it again.
import type { Run } from "../trace/run";

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:,+=@%^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The subject with its parameters, as it is typed: flags without a value, nothing that is empty. */
export function subjectWords(run: Run, change: Record<string, string> = {}): string {
  const words = [run.trace.system];
  const parameters: Record<string, string> = { ...run.trace.parameters, ...change };
  const names = Object.keys(parameters).filter((name) => name !== "bug").sort();
  for (const name of [...names, "bug"]) {
    const value = parameters[name] ?? "";
    if (value === "" || value === "no") continue;
    words.push(`--${name}`);
    if (value !== "yes") words.push(value);
  }
  if (run.trace.scenario) words.push("--scenario", run.trace.scenario);
  return words.map(quoted).join(" ");
}

/** The short form, also where a trace does not tell it. */
export function shortOf(run: Run): string {
  if (run.trace.short) return run.trace.short;
  const choices = run.trace.steps.map((step) => step.choice).join(".");
  const initial = run.trace.initial ?? 0;
  return initial > 0 || choices === "" ? `${initial}:${choices}` : choices;
}

export interface Command {
  what: string;
  line: string;
}

/** None for runs of other tools: they can be looked at, not replayed. */
export function commandsOf(run: Run): Command[] {
  if (run.trace.source || !run.trace.system) return [];
  const short = shortOf(run);
  const commands = [{ what: "Run it again", line: `ordeal replay ${short} ${subjectWords(run)}` }];
  if (run.trace.parameters?.bug) {
    commands.push({ what: "Try the correct form on it", line: `ordeal replay ${short} ${subjectWords(run, { bug: "none" })}` });
  }
  if (!run.trace.scenario) {
    commands.push({ what: "Walk on from its end", line: `ordeal explore ${subjectWords(run)} --start ${short}` });
  }
  return commands;
}

/** The fragment that leads back here, as docs and server read it. */
export function linkOf(run: Run, view: string, step: number): string {
  const link = new URLSearchParams();
  link.set("system", run.trace.system);
  for (const [name, value] of Object.entries(run.trace.parameters ?? {})) {
    if (name === "bug") link.set("bug", value);
    else if (value !== "") link.set(`p.${name}`, value);
  }
  if (run.trace.scenario) link.set("scenario", run.trace.scenario);
  link.set("short", shortOf(run));
  if (run.trace.free_faults) link.set("free", "1");
  link.set("view", view);
  link.set("step", String(step));
  return `#${link.toString()}`;
}
