// Writes src/trace/format.ts, the types of the trace format, from its JSON schema. With --check it
// only says whether the file is what the schema gives.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const schema = JSON.parse(readFileSync(here("../../docs/reference/trace.schema.json"), "utf8"));
const types = await compile(schema, "Trace", {
  additionalProperties: false,
  bannerComment: "// Made from docs/reference/trace.schema.json by `npm run types`.",
});
const target = here("../src/trace/format.ts");
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== types) {
    console.error("src/trace/format.ts is not what docs/reference/trace.schema.json gives: npm run types");
    process.exit(1);
  }
} else {
  writeFileSync(target, types);
}
