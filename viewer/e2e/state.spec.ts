import { expect, test } from "@playwright/test";
import { openPage } from "./page";
import { traceOf } from "./real";
import { madeTrace } from "./traces";

const made = (length: number) => ({ runs: [{ name: "made", role: "run", trace: madeTrace(length) }] });

test("The state after a step is a tree, with what changed marked by sign and old value", async ({ page }) => {
  await openPage(page, made(60), "#view=state&step=40");
  const changed = page.getByRole("treeitem").filter({ hasText: "(changed)" });
  await expect(changed).toHaveCount(1);
  await expect(changed).toContainText("≠");
  await expect(changed.locator("del")).toHaveCount(1);
  await page.getByLabel("Only what changed").check();
  await expect(page.getByRole("tree", { name: /^State of/ })).toHaveCount(1);
  await page.screenshot({ path: "../out/viewer/state.png" });
});

test("A tree is walked, opened and closed by keys, and stays open when the step changes", async ({ page }) => {
  const trace = madeTrace(60);
  for (const part of trace.initially!.parts!) {
    part.tree = { $type: "Server", term: 0, log: [], deep: { $type: "Deep", a: { $type: "A", b: 1 } } };
  }
  await openPage(page, { runs: [{ name: "made", role: "run", trace }] }, "#view=state&step=30");
  const tree = page.getByRole("tree", { name: "State of node 1" });
  await tree.getByRole("treeitem").first().focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(tree.getByRole("treeitem", { name: "b: 1" })).toBeVisible();
  // Nodes of one type open alike.
  await expect(page.getByRole("tree", { name: "State of node 2" }).getByRole("treeitem", { name: "b: 1" })).toBeVisible();
  await page.getByRole("button", { name: /Step|Next|forward/i }).first().click();
  await expect(tree.getByRole("treeitem", { name: "b: 1" })).toBeVisible();
});

test("The history of a variable is a chart and a list of links to steps", async ({ page }) => {
  await openPage(page, made(2000), "#view=state&step=1000");
  await page.getByRole("tree", { name: "State of node 2" }).getByRole("treeitem", { name: /^term/ }).click();
  const past = page.getByRole("region", { name: "History of node 2: term" });
  await expect(past.getByRole("img", { name: /Chart of node 2: term over 2000 steps/ })).toBeVisible();
  await past.getByRole("listbox").focus();
  await page.keyboard.press("Home");
  await expect(page.getByRole("heading", { name: "State at the start" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("heading", { name: /State after step \d+/ })).toBeVisible();
});

test("Messages in flight are listed with where they come from and what becomes of them", async ({ page }) => {
  await openPage(page, made(60), "#view=state&step=20");
  const flight = page.locator(".state-flight");
  await expect(flight.getByRole("heading")).toHaveText(/In flight: \d+ messages/);
  await expect(flight.getByRole("listitem").first()).toContainText(/since step \d+/);
});

test("A trace without states says so, and shows the values that change", async ({ page }) => {
  const trace = traceOf(["raft", "--crash", "3", "--recoveries", "1", "--bug", "late-vote-save"]);
  await openPage(page, { runs: [{ name: "raft", role: "violation", trace }] }, "#view=state");
  await expect(page.getByText("This trace was written without states")).toBeVisible();
  const node = page.getByRole("region", { name: "node 1", exact: true });
  await expect(node).toContainText("role");
  await node.getByRole("button", { name: "role" }).click();
  await expect(page.getByRole("region", { name: "History of node 1: role" })).toContainText("Leader");
});

test("A run of 100,000 steps shows its state and a history", async ({ page }) => {
  await openPage(page, made(100_000), "#view=state&step=99999");
  await expect(page.getByRole("heading", { name: "State after step 99999" })).toBeVisible();
  await page.getByRole("tree", { name: "State of node 1" }).getByRole("treeitem", { name: /^term/ }).click();
  await expect(page.getByRole("region", { name: /History of node 1: term/ })).toBeVisible();
});
