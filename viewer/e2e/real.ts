// Runs of the real command, for tests of views that must explain real bugs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Trace } from "../src/trace/format";
import { command, readReport, reportOf } from "./traces";

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

/** A run of `steps` random steps, with the state of every node, as `ordeal explore` takes them. */
export function walkOf(args: string[], steps: number): Trace {
  const folder = mkdtempSync(join(tmpdir(), "ordeal-e2e-"));
  const [walk, page] = [join(folder, "walk.json"), join(folder, "walk.html")];
  execFileSync(command, ["explore", ...args], { input: `r ${steps}\nsave ${walk}\n`, stdio: "pipe" });
  try {
    execFileSync(command, ["replay", walk, "--html", page], { stdio: "pipe" });
  } catch (error) {
    if ((error as { status?: number }).status !== 1) throw error;
  }
  return readReport(page).runs[0]!.trace;
}

/** The trace of the first violation, with the state of every node. */
export function statesOf(args: string[]): Trace {
  return readReport(reportOf(["check", ...args, "--quiet"])).runs[0]!.trace;
}

/** The page of a replay, without the bug, of the first violation that `ordeal check ARGUMENTS` finds. */
export function divergedOf(args: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "ordeal-e2e-"));
  const [file, page] = [join(folder, "trace.json"), join(folder, "page.html")];
  writeFileSync(file, JSON.stringify(traceOf(args)));
  try {
    execFileSync(command, ["replay", file, "--bug", "none", "--html", page], { stdio: "pipe" });
  } catch (error) {
    if ((error as { status?: number }).status !== 3) throw error;
  }
  return page;
}
