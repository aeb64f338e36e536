// What a step did, in the words that the panel and the overview share.
import type { Change } from "../trace/format";
import type { Message, Run } from "../trace/run";
import { versionAt } from "../trace/states";
import { show, type Json } from "../trace/value";
import { differences } from "./tree";

export interface ShownChange {
  path: string;
  before: string;
  after: string;
  onDisk: boolean; // what is on disk changed in the same way
}

const ON_DISK = "(disk).";

/** The changes for people: what changed in memory and on disk alike is told once. */
export function foldDisk(changes: readonly Change[]): ShownChange[] {
  const shown: ShownChange[] = changes.map((change) => ({
    path: change.path ?? "", before: change.before, after: change.after, onDisk: false,
  }));
  const twins = new Set<ShownChange>();
  for (const disk of shown) {
    if (!disk.path.startsWith(ON_DISK)) continue;
    const tail = disk.path.slice(ON_DISK.length);
    const twin = shown.find((other) => !other.path.startsWith(ON_DISK) &&
      (other.path === tail || other.path.endsWith(`.${tail}`)) &&
      other.before === disk.before && other.after === disk.after);
    if (!twin) continue;
    twin.onDisk = true;
    twins.add(disk);
  }
  return shown.filter((change) => !twins.has(change));
}

/** What a step changed in the acting node; from the states where the trace does not tell. */
export function changesOf(run: Run, number: number): ShownChange[] {
  if (number === 0) return [];
  const step = run.step(number);
  if (step.changes) return foldDisk(step.changes);
  const changes: Change[] = [];
  for (const changed of step.parts ?? []) {
    const part = run.states.part(changed.name);
    if (!part || (step.node !== undefined && step.node >= 0 && part.node !== step.node)) continue;
    const name = part.node >= 0 || run.states.parts.length === 1 ? "" : `${part.name}: `;
    for (const one of differences(versionAt(part, number - 1).tree, versionAt(part, number).tree)) {
      changes.push({
        path: name + one.path,
        before: one.before === undefined ? "absent" : show(one.before),
        after: one.after === undefined ? "absent" : show(one.after),
      });
    }
  }
  return foldDisk(changes);
}

export function fateText(message: Message): string {
  switch (message.fate) {
    case "delivered":
      return "delivered in";
    case "dropped":
      return "dropped in";
    case "lost":
      return "taken away in";
    case "in flight":
      return "still in flight at the end";
  }
}

/** The message with what it carries, without the type twice. */
export function messageText(message: Message): string {
  if (message.text === "") return message.type;
  return message.type === "" || message.text.startsWith(message.type) ? message.text : `${message.type} ${message.text}`;
}

/** The state of a node after a step, or undefined without states. */
export function treeOf(run: Run, node: number, at: number): Json | undefined {
  const part = run.states.ofNode(node);
  return part ? versionAt(part, at).tree : undefined;
}

export function isUp(run: Run, node: number, at: number): boolean {
  const part = run.states.ofNode(node);
  if (part) return versionAt(part, at).up;
  let up = true;
  for (let number = 1; number <= at; ++number) {
    const step = run.step(number);
    if (step.node !== node) continue;
    if (step.kind === "crash" || step.crash_at_persist) up = false;
    else if (step.kind === "recover") up = true;
  }
  return up;
}

/** A label in two: where it happens (`1→2`, `at 3`), and what; so that cutting the end loses no node. */
export function placeAndWhat(run: Run, number: number): { place: string; what: string } {
  const label = run.label(number);
  if (number === 0) return { place: "", what: label };
  const step = run.step(number);
  const name = (node: number | undefined) => (node === undefined || node < 0 ? "" : run.nodeName(node));
  const [node, from] = [name(step.node), name(step.from)];
  for (const place of [from && node ? `${from}→${node}` : "", node ? `at ${node}` : ""]) {
    if (place === "" || !label.includes(` ${place}`)) continue;
    const at = label.lastIndexOf(` ${place}`);
    return { place, what: label.slice(0, at) + label.slice(at + place.length + 1) };
  }
  return { place: "", what: label };
}
