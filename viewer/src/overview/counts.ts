// What happened in a run, counted.
import type { Run } from "../trace/run";

export interface Counts {
  messages: { type: string; sent: number; delivered: number; dropped: number; waiting: number }[];
  kinds: [string, number][]; // of actions, the most frequent first
  faults: [string, number][];
}

export function countsOf(run: Run): Counts {
  const types = new Map<string, Counts["messages"][number]>();
  for (const message of run.messages) {
    const type = message.type || message.kind;
    let row = types.get(type);
    if (!row) types.set(type, (row = { type, sent: 0, delivered: 0, dropped: 0, waiting: 0 }));
    // A copy was not sent: a duplication made it, or the network, where messages stay deliverable.
    if (message.copiedAt === 0 && !message.again) ++row.sent;
    if (message.fate === "delivered") ++row.delivered;
    else if (message.fate === "in flight") ++row.waiting;
    else ++row.dropped;
  }
  const kinds = new Map<string, number>();
  for (const step of run.trace.steps) kinds.set(step.kind, (kinds.get(step.kind) ?? 0) + 1);
  const sorted = [...kinds].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return {
    messages: [...types.values()].sort((a, b) => b.sent - a.sent || (a.type < b.type ? -1 : 1)),
    kinds: sorted.filter(([kind]) => !run.kinds.isFault(kind)),
    faults: sorted.filter(([kind]) => run.kinds.isFault(kind)),
  };
}

export interface PropertyRow {
  name: string;
  kind: string;
  verdict: string;
  note: string;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The properties of a report as `--json` writes it; none where there is no such report. */
export function propertiesOf(report: unknown): PropertyRow[] {
  if (!isRecord(report) || !Array.isArray(report.properties)) return [];
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return report.properties.filter(isRecord).map((property) => ({
    name: text(property.name), kind: text(property.kind), verdict: text(property.verdict), note: text(property.note),
  }));
}
