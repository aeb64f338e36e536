// How to come back to a run: the commands that run it again.
import { addressOf, replayCommand, subjectWords } from "../links";
import { isDefaultOf } from "../served/linking";
import type { Run } from "../trace/run";

/** A longer short form is no longer short: the trace is passed on as a file. */
const LONGEST = 2000;

export interface Command {
  what: string;
  line: string;
}

/** None for runs of other tools: they can be looked at, not replayed. */
export function commandsOf(run: Run): Command[] {
  const address = addressOf(run.trace);
  if (!address?.system) return [];
  if ((address.short ?? "").length > LONGEST) {
    return [{ what: "Run it again, once the trace is saved", line: "ordeal replay TRACE.json" }];
  }
  // Which values are the default a report does not know; flags are off unless they are on.
  const known = isDefaultOf(address.system);
  const isDefault = (name: string, value: string) => value === "no" || known(name, value);
  const commands = [{ what: "Run it again", line: replayCommand(address, isDefault) }];
  if (address.parameters.bug && address.parameters.bug !== "none") {
    const correct = { ...address, parameters: { ...address.parameters } };
    delete correct.parameters.bug;
    commands.push({ what: "Try the correct form on it", line: replayCommand(correct, isDefault) });
  }
  if (!address.scenario) {
    const start = address.short ? ` --start ${address.short}` : "";
    commands.push({ what: "Walk on from its end", line: `ordeal explore ${subjectWords(address, isDefault)}${start}` });
  }
  return commands;
}
