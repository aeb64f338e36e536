// How to come back to a run: the commands that run it again.
import { addressOf, subjectWords } from "../links";
import { fileName } from "../served/files";
import { isDefaultOf } from "../served/linking";
import type { Run } from "../trace/run";

/** A longer short form is no longer short: the trace is passed on as a file. */
const LONGEST = 2000;

/** The file that a trace is saved as. */
export const savedAs = (run: Run) => fileName(`${run.trace.system} ${run.name}`);

export interface Command {
  what: string;
  line: string;
}

/** None for runs of other tools: they can be looked at, not replayed. */
export function commandsOf(run: Run): Command[] {
  const address = addressOf(run.trace);
  if (!address?.system) return [];
  if ((address.short ?? "").length > LONGEST) {
    return [{ what: "Run it again, once the trace is saved", line: `ordeal replay ${savedAs(run)}` }];
  }
  // Which values are the default a trace does not know; flags are off unless they are on.
  const known = isDefaultOf(address.system);
  const isDefault = (name: string, value: string) => value === "no" || known(name, value);
  const words = run.subject && !address.scenario ? run.subject : subjectWords(address, isDefault);
  const commands = [{ what: "Run it again", line: `ordeal replay ${address.short || "0:"} ${words}` }];
  if (address.parameters.bug && address.parameters.bug !== "none") {
    // By the trace, which knows the actions: a number may mean another action there.
    commands.push({ what: "Try the correct form on it, once the trace is saved", line: `ordeal replay ${savedAs(run)} --bug none` });
  }
  if (!address.scenario) {
    const start = address.short ? ` --start ${address.short}` : "";
    commands.push({ what: "Walk on from its end", line: `ordeal explore ${words}${start}` });
  }
  return commands;
}
