// The view document: what a page is about. A report holds one; the server's page holds one too, and
// the app adds runs to it.
import { Run } from "./trace/run";
import { failure, traceFromJson, type Outcome } from "./trace/read";

export type Role = "violation" | "error" | "original" | "run" | "passing";

export interface ViewDocument {
  title: string;
  program: string;
  served: boolean;
  runs: Run[];
  report: unknown; // as `--json` writes it, or null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

export function readDocument(text: string): Outcome<ViewDocument> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return failure(`this page's data is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isRecord(json) || json.format !== "ordeal-view" || json.version !== 1) {
    return failure('this page\'s data has another format; expected "ordeal-view", version 1');
  }
  const runs: Run[] = [];
  for (const [i, item] of (Array.isArray(json.runs) ? json.runs : []).entries()) {
    if (!isRecord(item)) return failure(`runs[${i}]: expected an object`);
    const trace = traceFromJson(item.trace);
    if (!trace.ok) return failure(`runs[${i}].trace.${trace.error}`);
    runs.push(new Run(trace.value, textOf(item.name) || `run ${i + 1}`, textOf(item.role) || "run",
      textOf(item.subject), textOf(item.divergence)));
  }
  return {
    ok: true,
    value: {
      title: textOf(json.title),
      program: textOf(json.program),
      served: json.served === true,
      runs,
      report: json.report ?? null,
    },
  };
}
