// Writes the types that come from JSON schemas: src/trace/format.ts, the format of traces, and
// src/served/wire.ts, what a page and the server say to each other. With --check it only says whether
// the files are what the schemas give.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const read = (name) => JSON.parse(readFileSync(here(`../../docs/reference/${name}`), "utf8"));
const options = (name) => ({
  additionalProperties: false,
  bannerComment: `// Made from docs/reference/${name} by \`npm run types\`.`,
});

async function traceTypes(name) {
  return compile(read(name), "Trace", options(name));
}

/** What is described by the schema of traces has its type from there. */
function withoutTraces(schema) {
  if (Array.isArray(schema)) return schema.map(withoutTraces);
  if (typeof schema !== "object" || schema === null) return schema;
  if (String(schema.$ref).startsWith("trace.schema.json")) return { tsType: schema.tsType };
  return Object.fromEntries(Object.entries(schema).map(([name, item]) => [name, withoutTraces(item)]));
}

/** The types of all messages; which are asked and answered where, and which come as events. */
async function wireTypes(name) {
  const { endpoints, definitions, description } = read(name);
  const names = Object.keys(definitions);
  const root = {
    description, type: "object", required: names, definitions: withoutTraces(definitions),
    properties: Object.fromEntries(names.map((one) => [one, { $ref: `#/definitions/${one}` }])),
  };
  const types = await compile(root, "Messages", options(name));
  const lines = [];
  const table = (title, what, entry) => {
    lines.push("", `/** ${what} */`, `export interface ${title} {`);
    for (const [place, one] of Object.entries(endpoints)) if (entry(one)) lines.push(`  "${place}": ${entry(one)};`);
    lines.push("}");
  };
  table("Asks", "What is asked.", (one) => one.ask);
  table("Answers", "What is answered.", (one) => one.answer);
  table("Events", "What a stream tells.", (one) => one.events &&
    `{ ${Object.entries(one.events).map(([event, of]) => `${event}: ${of}`).join("; ")} }`);
  const [banner, ...rest] = types.split("\n");
  return [banner, 'import type { Step, Trace, Verdict } from "../trace/format";', ...rest].join("\n") +
    lines.join("\n").slice(1) + "\n";
}

const files = [
  ["trace.schema.json", "src/trace/format.ts", traceTypes],
  ["serve.schema.json", "src/served/wire.ts", wireTypes],
];
for (const [schema, file, make] of files) {
  const types = await make(schema);
  const target = here(`../${file}`);
  if (!process.argv.includes("--check")) writeFileSync(target, types);
  else if (readFileSync(target, "utf8") !== types) {
    console.error(`${file} is not what docs/reference/${schema} gives: npm run types`);
    process.exitCode = 1;
  }
}
