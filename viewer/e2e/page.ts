// A page as the command writes it, made here from what `npm run build` left in dist/ (or in
// $VIEWER_DIST), so that browser tests of the app need no compiler.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import type { Trace } from "../src/trace/format";

const dist = process.env.VIEWER_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

export interface PageData {
  title?: string;
  served?: boolean;
  runs: { name: string; role: string; trace: Trace | unknown; divergence?: string }[];
  report?: unknown;
}

export function pageOf(data: PageData): string {
  const script = readFileSync(join(dist, "viewer.js"), "utf8").replaceAll("</script", "<\\/script");
  const style = readFileSync(join(dist, "viewer.css"), "utf8");
  const hash = createHash("sha256").update(script, "utf8").digest("base64");
  const view = { format: "ordeal-view", version: 1, title: "a test", program: "ordeal", served: false, report: null, ...data };
  const json = JSON.stringify(view).replaceAll("<", "\\u003c");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${view.title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'">
<style>${style}</style></head>
<body><div id="page"><main id="report"><h1>a report</h1><p>The static part.</p></main></div>
<div id="app"></div>
<script type="application/json" id="ordeal-view">${json}</script>
<script>${script}</script></body></html>`;
}

/** Writes the page to a file and opens it from there, as a person does. */
export async function openPage(page: Page, data: PageData, hash = ""): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), "ordeal-e2e-")), "report.html");
  writeFileSync(file, pageOf(data));
  await page.goto(pathToFileURL(file).href + hash);
}
