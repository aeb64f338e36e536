// From text to a Trace: hostile input is fine, the message says what was wrong, where, and what would
// be right. The C++ reader refuses the same files; both are tested on tests/data/traces.
import schema from "../../../docs/reference/trace.schema.json";
import type { DescribedKind, Kind, Step, Trace } from "./format";
import type { Kinds } from "./kinds";
import { Validator, type Schema } from "./validate";
import { misform, type Json } from "./value";

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: string };

export const failure = (error: string): { ok: false; error: string } => ({ ok: false, error });

/** All that a step can be. */
export const KINDS = schema.definitions.Kind.enum as readonly Kind[];

const validator = new Validator(schema as unknown as Schema);

function misdescribed(kind: DescribedKind): string | null {
  if (["described", "fault", "faults"].includes(kind.name)) return "there is another kind of that name";
  if ([...(kind.mark ?? "")].length > 1) return "its mark must be one character";
  const other = /\{(?!(?:node|from|what)\})/.exec(kind.words ?? "");
  return other ? "its words may have {node}, {from} and {what}" : null;
}

/** What the schema cannot say: numbers that must fit each other. */
function misfit(trace: Trace): string | null {
  const kinds = new Set<string>(KINDS);
  for (const [i, kind] of (trace.kinds ?? []).entries()) {
    const wrong = kinds.has(kind.name) ? "there is another kind of that name" : misdescribed(kind);
    if (wrong) return `kinds[${i}]: ${wrong}`;
    kinds.add(kind.name);
  }
  for (let i = 0; i < trace.steps.length; ++i) {
    const step = trace.steps[i]!;
    const place = `steps[${i}]`;
    if (!kinds.has(step.kind)) {
      return `${place}.kind: found ${JSON.stringify(step.kind)}; expected one of ${[...kinds].join(", ")}`;
    }
    if (step.step !== undefined && step.step !== i + 1) {
      return `${place}.step: found ${step.step}; expected ${i + 1}, as steps are numbered from 1`;
    }
    if (step.enabled && step.choice >= step.enabled) {
      return `${place}.choice: found ${step.choice}; expected less than ${step.enabled}, the number of enabled actions`;
    }
    const payload = misform((step.payload ?? null) as Json);
    if (payload) return `${place}.payload: ${payload}`;
    for (const [j, part] of (step.parts ?? []).entries()) {
      const without = part.patch?.findIndex((one) => one.op !== "remove" && one.value === undefined) ?? -1;
      if (without >= 0) return `${place}.parts[${j}].patch[${without}]: has no value to ${part.patch![without]!.op}`;
    }
    const late = step.causes?.findIndex((cause) => cause > i) ?? -1;
    if (late >= 0) {
      return `${place}.causes[${late}]: found ${step.causes![late]}; expected a whole number from 0 to ${i}`;
    }
  }
  const steps = trace.steps.length;
  if (trace.verdict?.step !== undefined && trace.verdict.step > steps) {
    return `verdict.step: found ${trace.verdict.step}; expected a whole number from 0 to ${steps}`;
  }
  if (trace.loop_start !== undefined && trace.loop_start > steps) {
    return `loop_start: found ${trace.loop_start}; expected a whole number from 0 to ${steps}`;
  }
  for (const [i, point] of (trace.points ?? []).entries()) {
    if (point.step > steps) return `points[${i}].step: found ${point.step}; expected at most ${steps}`;
  }
  for (const field of ["node_types", "node_names"] as const) {
    for (const key of Object.keys(trace[field] ?? {})) {
      if (!/^-?\d+$/.test(key)) {
        return `${field}.${key}: expected the number of a node as the name of the field`;
      }
    }
  }
  return null;
}

export function traceFromJson(json: unknown): Outcome<Trace> {
  const mistake = validator.check(json);
  if (mistake) return failure(mistake);
  const trace = json as Trace;
  const wrong = misfit(trace);
  return wrong ? failure(wrong) : { ok: true, value: trace };
}

/** One step that comes alone, while a run goes on; `number` is its place, `kinds` are those of the run. */
export function stepFromJson(json: unknown, number: number, kinds: Kinds): Outcome<Step> {
  const wrong = validator.check({ format: "ordeal-trace", version: 1, system: "", steps: [json] });
  if (wrong) return failure(wrong.replace(/^steps\[0\]/, `steps[${number - 1}]`));
  const step = json as Step;
  if (!KINDS.some((kind) => kind === step.kind) && !kinds.described.has(step.kind)) {
    return failure(`steps[${number - 1}].kind: found ${JSON.stringify(step.kind)}; expected a kind of this run`);
  }
  if (step.step !== undefined && step.step !== number) {
    return failure(`steps[${number - 1}].step: found ${step.step}; expected ${number}`);
  }
  const late = step.causes?.findIndex((cause) => cause >= number) ?? -1;
  if (late >= 0) {
    return failure(`steps[${number - 1}].causes[${late}]: found ${step.causes![late]}; ` +
      `expected a whole number from 0 to ${number - 1}`);
  }
  return { ok: true, value: step };
}

export function readTrace(text: string): Outcome<Trace> {
  if (text.trim() === "") return failure("the file is empty; expected a trace in JSON");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return failure(`this is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return traceFromJson(json);
}
