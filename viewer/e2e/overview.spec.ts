import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Trace } from "../src/trace/format";
import { openPage } from "./page";
import { divergedOf, traceOf } from "./real";
import { madeTrace, readReport, reportOf } from "./traces";

const raft = ["raft", "--crash", "3", "--recoveries", "1", "--bug", "late-vote-save", "--strategy", "random"];

test("A violating run opens on the violation, with its reason, its slice and its values", async ({ page }) => {
  const trace = traceOf(raft);
  await openPage(page, { runs: [{ name: "election safety", role: "violation", trace }] });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("election safety");
  await expect(page.getByText("servers 1 and 2 both lead term 1")).toBeVisible();
  await expect(page.getByText("Minimised from 11 to 8 steps")).toBeVisible();
  await expect(page.locator(".why-steps > li")).toHaveCount(8);
  await expect(page.locator(".why-edge.message text").filter({ hasText: /^Vote$/ })).toHaveCount(2);
  await expect(page.getByRole("row", { name: /^role/ })).toContainText("LeaderLeader");
  await expect(page.locator("code").first()).toContainText(`ordeal replay ${trace.short} raft`);
  await page.screenshot({ path: "../out/viewer/overview-violation.png" });
});

test("The full run is one click away, and selects the violating step", async ({ page }) => {
  await openPage(page, { runs: [{ name: "election safety", role: "violation", trace: traceOf(raft) }] });
  await page.getByRole("button", { name: "Show the full run" }).click();
  await expect(page.getByRole("tab", { name: "Diagram" })).toHaveAttribute("aria-selected", "true");
  const panel = page.getByRole("complementary", { name: "Selected step" });
  await expect(panel).toContainText("Step 8 of 8");
  await expect(panel).toContainText("election safety is violated here");
});

test("The panel's links lead from a message to its delivery and from a step to its causes", async ({ page }) => {
  await openPage(page, { runs: [{ name: "election safety", role: "violation", trace: traceOf(raft) }] });
  await page.locator(".why-steps").getByRole("button", { name: /^3/ }).click();
  const panel = page.getByRole("complementary", { name: "Selected step" });
  await expect(panel.getByRole("heading", { level: 2 })).toHaveText("Step 3 of 8");
  await panel.getByText("delivered in").locator("..").getByRole("button", { name: "step 6" }).click();
  await expect(panel.getByRole("heading", { level: 2 })).toHaveText("Step 6 of 8");
  await panel.getByRole("region").or(panel.locator("section")).filter({ hasText: "Caused by" }).getByRole("button", { name: "step 3" }).click();
  await expect(panel.getByRole("heading", { level: 2 })).toHaveText("Step 3 of 8");
});

test("The trace can be saved, and is the same", async ({ page }) => {
  const trace = traceOf(raft);
  await openPage(page, { runs: [{ name: "election safety", role: "violation", trace }] });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the trace" }).click()]);
  expect(download.suggestedFilename()).toBe("raft-election-safety.json");
  expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toEqual(trace);
});

test("A run without a violation says so, and tells what happened", async ({ page }) => {
  const report = { properties: [{ name: "agreement", kind: "always", verdict: "holds", note: "" }] };
  await openPage(page, { runs: [{ name: "made", role: "run", trace: madeTrace(500) }], report });
  await expect(page.getByText("Nothing is violated in this run")).toBeVisible();
  await expect(page.getByText(/Faults: \d+ drop/)).toBeVisible();
  await expect(page.getByRole("row", { name: "agreement always ✓ holds" })).toBeVisible();
});

test("Hostile and very long texts are text, cut, and can be seen whole", async ({ page }) => {
  const trace: Trace = madeTrace(3);
  const long = "<img src=x onerror=alert(1)>".repeat(400);
  trace.verdict = { property: "<b>bold</b>", kind: "always", why: long, nodes: [1], step: 3 };
  await openPage(page, { runs: [{ name: "<i>", role: "violation", trace }] });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("<b>bold</b>");
  await expect(page.locator("img")).toHaveCount(0);
  await expect(page.locator(".over-why")).not.toContainText(long);
  await page.getByRole("button", { name: /show all of the reason/ }).click();
  await expect(page.locator(".over-why")).toContainText(long);
});

test("A read that nobody can place is explained by the write before it and all that led to that", async ({ page }) => {
  const { runs } = readReport(reportOf(["scenario", "run", "raft-deposed-and-asked", "--bug", "stale-read", "--quiet"]));
  await openPage(page, { runs: [runs[0]!] });
  const numbers = (await page.locator(".why-steps .why-head button").allTextContents()).map((text) => parseInt(text, 10));
  // The second election (8 to 10), the write until its return (18), and the read (19 to 21).
  expect(numbers).toEqual(expect.arrayContaining([8, 9, 10, 11, 17, 18, 19, 20, 21]));
  await expect(page.getByText("the calls and returns of the 2 operations that the reason is about")).toBeVisible();
  await expect(page.locator("body")).not.toContainText("no part");
  const table = page.getByRole("region", { name: "The operations that have no order together" });
  await expect(table.getByRole("row", { name: /^4 Write/ })).toContainText("after step 11");
  await expect(table.getByRole("row", { name: /^5 Read/ })).toContainText("✗ no place");
  await expect(page.locator("td.told")).toHaveCount(0);
  await page.getByRole("button", { name: "Show the full run" }).click();
  const canvas = page.locator("canvas[data-points]");
  await expect(canvas).toHaveAttribute("data-unplaced", "1");
  await expect(canvas).toHaveAttribute("data-points", "2");
});

test("A replay that diverged opens on that, and nothing on it is green", async ({ page }) => {
  const { runs } = readReport(divergedOf(["hierarchical-consensus", "--nodes", "3", "--crash", "1", "--bug", "advance-once"]));
  await openPage(page, { runs });
  await expect(page.getByText("✗ The replay diverged")).toBeVisible();
  await expect(page.locator(".over-why")).toHaveText(/^Diverged at step \d+ of \d+: /);
  await expect(page.locator(".over-hero.good")).toHaveCount(0);
  await expect(page.locator("body")).not.toContainText("Nothing is violated");
  await page.getByRole("button", { name: /^Compare with the trace/ }).click();
  await expect(page.getByRole("tab", { name: "Compare" })).toHaveAttribute("aria-selected", "true");
});
