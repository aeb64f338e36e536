// Patches of RFC 6902 as traces have them (add, replace, remove), applied without touching what was
// there: everything off the changed path is shared, so that keeping all states of a run is cheap.
import type { PatchStep } from "./format";
import type { Json } from "./value";

function pointer(path: string): string[] {
  if (path === "") return [];
  return path.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function change(value: Json, path: string[], at: number, step: PatchStep): Json {
  if (at === path.length) return step.op === "remove" ? null : (step.value as Json);
  const key = path[at]!;
  const last = at + 1 === path.length;
  if (Array.isArray(value)) {
    const copy = value.slice();
    const index = key === "-" ? copy.length : Number(key);
    if (!Number.isInteger(index) || index < 0 || index > copy.length) return value;
    if (last && step.op === "add") copy.splice(index, 0, step.value as Json);
    else if (last && step.op === "remove") copy.splice(index, 1);
    else if (index < copy.length) copy[index] = change(copy[index]!, path, at + 1, step);
    return copy;
  }
  if (typeof value !== "object" || value === null) return value;
  if (key === "__proto__") return value;
  const copy: { [key: string]: Json } = { ...value };
  if (last && step.op === "remove") delete copy[key];
  else copy[key] = change(Object.hasOwn(copy, key) ? copy[key]! : null, path, at + 1, step);
  return copy;
}

export function applyPatch(value: Json, patch: readonly PatchStep[]): Json {
  return patch.reduce((now, step) => change(now, pointer(step.path), 0, step), value);
}
