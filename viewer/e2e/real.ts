// Runs of the real command, for tests of views that must explain real bugs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Trace } from "../src/trace/format";
import { command } from "./traces";

/** The trace of the first violation that `ordeal check ARGUMENTS` finds. */
export function traceOf(args: string[]): Trace {
  const file = join(mkdtempSync(join(tmpdir(), "ordeal-e2e-")), "trace.json");
  try {
    execFileSync(command, ["check", ...args, "--trace", file, "--quiet"], { stdio: "pipe" });
  } catch (error) {
    if ((error as { status?: number }).status !== 1) throw error;
  }
  return JSON.parse(readFileSync(file, "utf8")) as Trace;
}
