// What is told about the thing under the pointer.
import type { Message } from "../trace/run";
import type { Hit } from "./hit";
import type { DiagramModel } from "./model";
import { operationText } from "./paintLanes";

export function messageWords(model: DiagramModel, message: Message): string[] {
  const name = (node: number) => (node < 0 ? "outside" : model.run.nodeName(node));
  const sent = message.sentAt === 0 ? "sent at the start" : `sent in step ${message.sentAt}`;
  const copy = message.copiedAt > 0 ? `a copy, made in step ${message.copiedAt}` : "";
  const fate = {
    "delivered": `delivered in step ${message.endedAt}`,
    "dropped": `dropped in step ${message.endedAt}`,
    "lost": `taken away by a filter in step ${message.endedAt}`,
    "in flight": "still in flight",
  }[message.fate];
  return [
    `${name(message.from)} → ${name(message.to)}: ${message.text || message.type}`,
    [copy, sent, fate].filter(Boolean).join(", "),
  ];
}

/** Lines of text; the first one is the title. */
export function wordsFor(model: DiagramModel, hit: Hit): string[] {
  switch (hit.what) {
    case "nothing":
      return [];
    case "message":
      return messageWords(model, hit.message);
    case "operation": {
      const { operation } = hit.placed;
      const point = operation.unplaced ? ", has no place among the others" : operation.point >= 0 ? `, takes effect after step ${operation.point}` : "";
      const end = operation.to < 0 ? "has not returned" : `returns in step ${operation.to}`;
      return [operationText(hit.placed), `called in step ${operation.from}${point}, ${end}`];
    }
    case "row":
    case "step":
      if (hit.row === 0) return ["start"];
      return [`${hit.row}: ${model.label(hit.row)}`, ...effects(model, hit.row)];
  }
}

function effects(model: DiagramModel, row: number): string[] {
  const step = model.run.step(row);
  const lines = (step.changes ?? []).slice(0, 4)
    .map((change) => `${change.path ?? "state"}: ${change.before} → ${change.after}`);
  const more = (step.changes?.length ?? 0) - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  const sends = model.run.sentBy[row]?.length ?? 0;
  if (sends > 0) lines.push(`sends ${sends === 1 ? "a message" : `${sends} messages`}`);
  for (const value of step.decided ?? []) lines.push(`★ decides ${value}`);
  if (step.failure) lines.push(`✗ ${step.failure}`);
  return lines;
}
