// The subject that the forms of this page are about. Open, Explore and Live share it, so that a
// subject that was set up once can be started, searched and run live.
import { computed, signal } from "@preact/signals";
import { suite } from "../api";
import type { Address, Parameter, Subject } from "./read";

export interface Choice {
  system: string;
  values: Record<string, string>; // what differs from the default
  bug: string; // "": the correct form
}

const chosen = signal<Choice | null>(null);

/** What is chosen now: the first subject, until somebody chooses. */
export const choice = computed<Choice>(() =>
  chosen.value ?? { system: suite.value?.subjects[0]?.name ?? "", values: {}, bug: "" });

export const subject = computed<Subject | null>(() =>
  suite.value?.subjects.find((known) => known.name === choice.value.system) ?? null);

export function chooseSubject(system: string): void {
  chosen.value = { system, values: {}, bug: "" };
}

export function chooseValue(name: string, value: string): void {
  const values = { ...choice.value.values, [name]: value };
  if (subject.value?.parameters.find((one) => one.name === name)?.default === value) delete values[name];
  chosen.value = { ...choice.value, values };
}

export function chooseBug(bug: string): void {
  chosen.value = { ...choice.value, bug };
}

export function resetValues(): void {
  chosen.value = { ...choice.value, values: {} };
}

/** Takes over what a run was made with. */
export function chooseLike(system: string, parameters: Record<string, string>): void {
  const known = suite.value?.subjects.find((one) => one.name === system);
  if (!known) return;
  const values: Record<string, string> = {};
  for (const one of known.parameters) {
    const value = parameters[one.name];
    if (value !== undefined && value !== one.default) values[one.name] = value;
  }
  const bug = parameters.bug && parameters.bug !== "none" ? parameters.bug : "";
  chosen.value = { system, values, bug };
}

export function addressOfChoice(made: Choice): Address {
  const parameters = { ...made.values };
  if (made.bug) parameters.bug = made.bug;
  return { system: made.system, parameters };
}

/** What a parameter may be, in words: "1 to 9", "none, ordered, prompt". */
export function rangeOf(parameter: Parameter): string {
  if (parameter.words.length > 0) return parameter.words.join(", ");
  if (parameter.kind === "nodes") return "ids such as 1,2, or none";
  if (parameter.kind === "flag") return "yes or no";
  if (parameter.least !== null && parameter.most !== null) return `${parameter.least} to ${parameter.most}`;
  return parameter.least === null ? "" : `${parameter.least} or more`;
}

/** Why a value cannot be; "": it can. The server looks too. */
export function mistakeIn(parameter: Parameter, value: string): string {
  if (value === parameter.default) return "";
  const expected = `expected ${rangeOf(parameter)}`;
  if ((parameter.kind === "number" || parameter.kind === "real") && value !== "") {
    const number = Number(value);
    const form = parameter.kind === "number" ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
    if (!form.test(value)) return parameter.least === null ? "expected a whole number" : expected;
    if (parameter.least !== null && number < parameter.least) return expected;
    if (parameter.most !== null && number > parameter.most) return expected;
  }
  if (parameter.kind === "nodes" && !/^(none|\d+(,\d+)*)?$/.test(value)) return expected;
  return "";
}
