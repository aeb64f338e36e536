// Files that a person opens: traces and reports are read here; logs of other tools by the server.
import { api } from "../api";
import * as store from "../store";
import { Run } from "../trace/run";
import { failure, readTrace, traceFromJson, type Outcome } from "../trace/read";
import { fieldsOf, isFields, listOf, textOf } from "./read";
import type { ImportAsk } from "./wire";

export type FileKind = "trace" | "report" | "other";

/** What a file is, by what it says about itself. */
export function kindOf(text: string): FileKind {
  const start = text.trimStart();
  if (!start.startsWith("{")) return "other";
  try {
    const json: unknown = JSON.parse(text);
    const format = textOf(fieldsOf(json).format);
    // A single line of a log is JSON too, but does not call itself a format.
    return format === "ordeal-report" ? "report" : format !== "" || "steps" in fieldsOf(json) ? "trace" : "other";
  } catch {
    return /"format"\s*:\s*"ordeal-trace"/.test(start.slice(0, 2000)) ? "trace" : "other";
  }
}

function runOf(name: string, trace: ConstructorParameters<typeof Run>[0]): Run {
  return new Run(trace, name, trace.verdict ? "violation" : "run");
}

/** The runs of violations that a report (`--json`) holds. */
export function runsOfReport(name: string, text: string): Outcome<Run[]> {
  const runs: Run[] = [];
  for (const [i, item] of listOf(fieldsOf(JSON.parse(text)).violations).entries()) {
    if (!isFields(item) || !item.trace) continue;
    const trace = traceFromJson(item.trace);
    if (!trace.ok) return failure(`violations[${i}].trace.${trace.error}`);
    runs.push(runOf(`${name}: ${textOf(item.property)}`, trace.value));
  }
  return runs.length > 0 ? { ok: true, value: runs } : failure("the report holds no run: nothing was violated");
}

export interface ImportOptions {
  format: NonNullable<ImportAsk["format"]>;
  parser: string; // of a ShiViz log, if it is not the usual one
}

/** The runs in a file, or why there are none. */
export async function runsOfFile(name: string, text: string, options: ImportOptions): Promise<Outcome<Run[]>> {
  if (text.trim() === "") return failure("the file is empty; expected a trace or a log");
  const kind = options.format === "auto" ? kindOf(text) : "other";
  if (kind === "trace") {
    const trace = readTrace(text);
    return trace.ok ? { ok: true, value: [runOf(name, trace.value)] } : trace;
  }
  if (kind === "report") return runsOfReport(name, text);
  if (!store.served.value) {
    return failure("this is no trace of Ordeal. Logs of ShiViz and Maelstrom are read by " +
      `'ordeal trace import ${name}', or on a page of 'ordeal serve'`);
  }
  const trace = await api.import(name, text, options.format, options.parser);
  return { ok: true, value: [runOf(name, trace)] };
}

/** Hands text to the person as a file. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name that every file system takes. */
export const fileName = (name: string) => `${name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "") || "run"}.json`;
