import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import type { Trace } from "../src/trace/format";
import { openPage } from "./page";
import { madeTrace, reportOf } from "./traces";

test("A page opens from disk without a request and without an error", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  await openPage(page, { runs: [{ name: "made", role: "run", trace: madeTrace(50) }] });
  await expect(page.getByRole("tablist", { name: "Views" })).toBeVisible();
  await page.getByRole("tab", { name: "Report" }).click();
  await expect(page.getByText("The static part.")).toBeVisible();
  expect(errors).toEqual([]);
});

test("Data that cannot be read is told, with the place", async ({ page }) => {
  const trace = madeTrace(3) as unknown as { steps: { kind: unknown }[] };
  trace.steps[1]!.kind = 7;
  await openPage(page, { runs: [{ name: "bad", role: "run", trace }] });
  await expect(page.getByRole("alert")).toContainText("runs[0].trace.steps[1].kind: found 7; expected text");
});

test("Kinds of actions that a run describes are told, drawn and searched in its words", async ({ page }) => {
  const file = new URL("../../tests/data/traces/good/described-kinds.json", import.meta.url);
  const trace = JSON.parse(readFileSync(file, "utf8")) as Trace;
  await openPage(page, { runs: [{ name: "threads", role: "run", trace }] });
  await page.getByRole("tab", { name: "Diagram" }).click();
  await page.getByRole("button", { name: "Legend" }).click();
  await expect(page.getByText("kill (a fault)")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Steps" }).click();
  await expect(page.getByText("1 gives m back").first()).toBeVisible();
  await page.keyboard.press("/");
  await page.getByRole("searchbox").fill("kind:lock");
  await expect(page.getByText("2 match the search")).toBeVisible();
});

test("The report of a check that holds opens on what was checked", async ({ page }) => {
  await page.goto(pathToFileURL(reportOf(["check", "raft", "--quiet"])).href);
  await expect(page.getByRole("tab", { name: "Report" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("holds").first()).toBeVisible();
  await expect(page.getByRole("cell", { name: "election safety" })).toBeVisible();
});

test("The report that the command writes opens on its violation", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  const file = reportOf(["check", "raft", "--crash", "3", "--recoveries", "1", "--bug", "late-vote-save", "--quiet"]);
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole("heading", { name: "election safety" })).toBeVisible();
  await expect(page.getByText("ordeal replay 2.3.0.0.0.3.4.3 raft --crash 3 --recoveries 1 --bug late-vote-save", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show the full run" }).click();
  await expect(page.locator("#diagram-canvas")).toBeVisible();
  await page.getByRole("tab", { name: "Report" }).click();
  await expect(page.locator("#report svg")).toBeVisible();
  expect(errors).toEqual([]);
});
