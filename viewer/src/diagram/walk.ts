// Moves from step to step along lanes and messages.
import type { Message, Run } from "../trace/run";

/** The next step of the same node, before (-1) or after (1); the same step if there is none. */
export function alongLane(run: Run, step: number, way: 1 | -1): number {
  const node = step === 0 ? undefined : run.step(step).node;
  for (let at = step + way; at >= 1 && at <= run.length; at += way) {
    if (node === undefined || run.step(at).node === node) return at;
  }
  return step;
}

/** Where to go from a step to follow what it sent, and what to say if that is nowhere. */
export interface Followed {
  step: number;
  words: string;
}

const firstLine = (message: Message) => message.text || message.type;

/** From the sending to the delivery. */
export function followForward(run: Run, step: number): Followed {
  const sent = run.sentBy[step] ?? [];
  const arrived = sent.filter((message) => message.endedAt >= 0)
    .sort((a, b) => a.endedAt - b.endedAt)[0];
  if (arrived) {
    return { step: arrived.endedAt, words: `${firstLine(arrived)} is ${arrived.fate}` };
  }
  const words = sent.length === 0 ? "This step sends nothing"
    : "What this step sends is still in flight at the end";
  return { step, words };
}

/** From the delivery back to the sending. */
export function followBack(run: Run, step: number): Followed {
  const message = run.taken[step];
  if (!message) return { step, words: "This step takes no message" };
  return { step: message.sentAt, words: `${firstLine(message)} was sent here` };
}
