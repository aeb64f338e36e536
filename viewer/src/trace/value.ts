// Values as traces write them: what JSON has no form for is an object with one field that begins
// with "$" (docs/reference/trace.md, "Payloads").

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Shape =
  | { kind: "leaf"; text: string }
  | { kind: "record"; type: string; fields: [string, Json][] }
  | { kind: "list" | "set" | "tuple"; items: Json[] }
  | { kind: "map"; entries: [Json, Json][] };

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a value is, without going into what it holds. */
export function shapeOf(value: Json): Shape {
  if (value === null) return { kind: "leaf", text: "-" };
  if (Array.isArray(value)) return { kind: "list", items: value };
  if (!isObject(value)) return { kind: "leaf", text: String(value) };
  const set = value.$set;
  if (Array.isArray(set)) return { kind: "set", items: set };
  const tuple = value.$tuple;
  if (Array.isArray(tuple)) return { kind: "tuple", items: tuple };
  const map = value.$map;
  if (Array.isArray(map)) {
    const entries = map.map((entry): [Json, Json] =>
      Array.isArray(entry) ? [entry[0] ?? null, entry[1] ?? null] : [entry, null]);
    return { kind: "map", entries };
  }
  for (const name of ["$enum", "$bytes", "$real"]) {
    const text = value[name];
    if (typeof text === "string") return { kind: "leaf", text };
  }
  const type = typeof value.$type === "string" ? value.$type : "";
  const fields = Object.entries(value).filter(([name]) => name !== "$type");
  return { kind: "record", type, fields };
}

/** What is wrong with the form of a value; null: nothing. The engine's reader says the same. */
export function misform(value: Json): string | null {
  const first = (items: readonly Json[]) => {
    for (const item of items) {
      const wrong = misform(item);
      if (wrong) return wrong;
    }
    return null;
  };
  if (Array.isArray(value)) return first(value);
  if (value === null || !isObject(value)) return null;
  const names = Object.keys(value);
  const only = names.length === 1 ? names[0] : undefined;
  const inside = only === undefined ? null : value[only]!;
  switch (only) {
    case "$set":
    case "$tuple":
      return Array.isArray(inside) ? first(inside) : "expected a list inside $set or $tuple";
    case "$map":
      if (!Array.isArray(inside)) return "expected a list of pairs inside $map";
      if (!inside.every((pair) => Array.isArray(pair) && pair.length === 2)) return "expected [key, value] inside $map";
      return first(inside);
    case "$bytes":
      return typeof inside === "string" && /^([0-9a-fA-F]{2})*$/.test(inside)
        ? null : "expected pairs of hexadecimal digits inside $bytes";
    case "$real":
      return inside === "nan" || inside === "inf" || inside === "-inf"
        ? null : 'expected "nan", "inf" or "-inf" inside $real';
    case "$enum":
      return typeof inside === "string" ? null : "expected a name inside $enum";
  }
  if (Object.hasOwn(value, "$type") && typeof value.$type !== "string") return "expected a name as $type";
  return first(Object.values(value));
}

/** On one line, as the terminal shows it: `Vote{term: 1, mode: kAsk}`. */
export function show(value: Json): string {
  const shape = shapeOf(value);
  switch (shape.kind) {
    case "leaf":
      return shape.text;
    case "record":
      return `${shape.type}{${shape.fields.map(([name, item]) => `${name}: ${show(item)}`).join(", ")}}`;
    case "list":
      return `[${shape.items.map(show).join(", ")}]`;
    case "set":
      return `{${shape.items.map(show).join(", ")}}`;
    case "tuple":
      return `(${shape.items.map(show).join(", ")})`;
    case "map":
      return `{${shape.entries.map(([key, item]) => `${show(key)}: ${show(item)}`).join(", ")}}`;
  }
}

export function sameValue(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameValue(item, b[i]!));
  }
  if (a === null || b === null || !isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameValue(a[name]!, b[name]!));
}
