import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { openPage } from "./page";
import { madeTrace } from "./traces";

const real = (name: string): unknown => JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), "utf8"));
const found = { name: "election safety (as found)", role: "original", trace: real("raft-found") };
const minimised = { name: "election safety", role: "violation", trace: real("raft-minimised") };
const fixed = { name: "the correct form", role: "passing", trace: real("raft-fixed") };

test("From the overview, the minimised run is compared with the one that was found", async ({ page }) => {
  await openPage(page, { runs: [minimised, found] });
  await page.getByRole("button", { name: "Compare with the original (11 steps)" }).click();
  await expect(page.getByLabel("Left run")).toContainText("as found");
  await expect(page.getByText("8 steps are in both; 3 only on the left.")).toBeVisible();
  await expect(page.getByRole("option").filter({ hasText: "only on the left" })).toHaveCount(3);
});

test("A failing and a passing run diverge at the step that the fix changes, and the value is told", async ({ page }) => {
  await openPage(page, { runs: [minimised, fixed] }, "#view=compare");
  const first = page.getByRole("option", { name: /first divergence/ });
  await expect(first).toHaveAttribute("aria-selected", "true");
  await expect(first).toContainText("RequestVote");
  const detail = page.getByRole("region", { name: "The chosen row" });
  await expect(detail).toContainText("First divergence: the same step, another effect");
  await expect(detail.getByRole("row", { name: "(disk).voted_for 0 2" })).toBeVisible();
  await page.screenshot({ path: "../out/viewer/compare.png" });
});

test("The same run has no divergence", async ({ page }) => {
  await openPage(page, { runs: [minimised, { ...minimised, name: "again" }] }, "#view=compare");
  await expect(page.getByText("No divergence: the same steps with the same effects.")).toBeVisible();
  await expect(page.getByRole("button", { name: "First divergence" })).toBeDisabled();
});

test("Differences are walked by keys, and lead to the diagram of their run", async ({ page }) => {
  await openPage(page, { runs: [minimised, found] }, "#view=compare");
  await page.locator("#view").focus();
  const selected = page.getByRole("listbox").getByRole("option", { selected: true });
  await expect(selected).toContainText("Submit");
  await page.keyboard.press("d");
  await expect(selected).toContainText("only on the left");
  await expect(selected).not.toContainText("Submit");
  await page.keyboard.press("D");
  await page.getByRole("button", { name: "step 2 in the diagram" }).click();
  await expect(page.getByRole("tab", { name: "Diagram" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("complementary", { name: "Selected step" })).toContainText("Step 2 of 11");
});

test("One run alone says what is needed; 10,000 steps are compared", async ({ page }) => {
  await openPage(page, { runs: [minimised] }, "#view=compare");
  await expect(page.getByRole("heading", { name: "Two runs are needed" })).toBeVisible();
  const long = [1, 2].map((seed) => ({ name: `made ${seed}`, role: "run", trace: madeTrace(10_000, 5, seed) }));
  await openPage(page, { runs: long }, "#view=compare");
  await expect(page.getByText(/steps are in both/)).toBeVisible({ timeout: 20_000 });
  expect(await page.getByRole("option").count()).toBeLessThan(80);
});
