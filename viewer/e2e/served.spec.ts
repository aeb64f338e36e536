// The views of a served page, against the real `ordeal serve`.
import { expect, test, type Page } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
import { traceOf } from "./real";
import { download, expectAccessible, openServed, ordeal, picture, serve, type Served } from "./served";

let server: Served;
test.beforeAll(async () => { server = await serve(); });
test.afterAll(async () => { await server.end(); });

// Three nodes, one of which may crash; with the bug, six steps lead to a node that never decides.
const bad = "system=hierarchical-consensus&p.crash=1&bug=advance-once";

const actions = (page: Page) => page.getByRole("listbox", { name: "Enabled actions" });
const option = (page: Page, choice: number) => page.locator(`#fork-option-${choice}`);
const branches = (page: Page) => page.getByRole("tree", { name: "Branches" }).getByRole("treeitem");
const properties = (page: Page) => page.getByRole("region", { name: /^Properties/ });
const at = (page: Page, step: number) => page.getByRole("heading", { name: step === 0 ? "at the start" : `after step ${step} ` }).first();

const outcome = (page: Page) => page.locator(".fork-outcome");

async function chooseBad(page: Page, prefix: string): Promise<void> {
  await page.locator(`#${prefix}-subject`).selectOption("hierarchical-consensus");
  await page.locator(`#${prefix}-bug`).selectOption("advance-once");
  const parameters = page.getByText(/^Parameters/);
  if (!(await page.locator(`#${prefix}-p-crash`).isVisible())) await parameters.click();
  await page.locator(`#${prefix}-p-crash`).fill("1");
}

test("A subject is set up, started, and walked into its bug by the keyboard alone", async ({ page }) => {
  const errors = await openServed(page, server);
  await chooseBad(page, "open");
  await expect(page.getByText("1 changed")).toBeVisible();
  await picture(page, "open");
  await expectAccessible(page);
  await page.getByRole("form", { name: "A subject" }).getByRole("button", { name: "Start" }).focus();
  await page.keyboard.press("Enter");
  await expect(at(page, 0)).toBeVisible();
  await expect(option(page, 0)).toContainText("crash 1");
  await page.keyboard.press("a");
  await expect(actions(page)).toBeFocused();
  for (const [step, choice] of [0, 0, 0, 0, 1, 0].entries()) {
    await expect(at(page, step)).toBeVisible();
    await expect(option(page, choice)).toBeVisible();
    await page.keyboard.press("Home");
    for (let i = 0; i < 20 && (await option(page, choice).getAttribute("aria-selected")) !== "true"; ++i) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
  }
  await expect(at(page, 6)).toBeVisible();
  await expect(properties(page)).toContainText("violated termination: node 3 never decided");
  await expect(branches(page)).toHaveCount(1);
  await expect(branches(page)).toContainText("✗ termination");
  await expect(page.getByText("Nothing is left to happen: the run ends here.")).toBeVisible();
  await page.keyboard.press("u");
  await expect(at(page, 5)).toBeVisible();
  await expect(properties(page)).toContainText("still open termination");
  expect(errors).toEqual([]);
});

test("Another choice makes a branch; branches are walked, renamed, saved and removed", async ({ page }) => {
  const errors = await openServed(page, server, `#${bad}&short=0.0.0.0.1.0&view=fork&step=2`);
  await expect(branches(page)).toHaveCount(1);
  await expect(actions(page).getByRole("option", { name: "✓ taken" })).toHaveCount(1);
  const other = actions(page).getByRole("option").filter({ hasNotText: "taken" }).first();
  const words = await other.innerText();
  await other.click();
  await expect(branches(page)).toHaveCount(2);
  await expect(at(page, 3)).toBeVisible();
  await expect(page.getByText("from step 2, 3 steps")).toBeVisible();
  // Back at the step, the same action leads into the branch that is there.
  await page.keyboard.press("ArrowLeft");
  await expect(actions(page).getByRole("option", { name: "✓ taken" })).toContainText(words);
  await actions(page).getByRole("option", { name: "→ hierarchical-consensus" }).click();
  await expect(branches(page).nth(0)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowDown");
  await expect(branches(page).nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("F2");
  await page.keyboard.type("another way");
  await page.keyboard.press("Enter");
  await expect(branches(page).nth(1)).toContainText("another way");
  await page.getByLabel("How many random steps").fill("40");
  await page.getByRole("button", { name: "Random steps" }).click();
  await expect(outcome(page)).toContainText(/random steps taken|nothing is possible|violated:/);
  await picture(page, "fork");
  await expectAccessible(page);
  const file = await download(page, () => page.getByRole("button", { name: "Save trace" }).click());
  const trace = JSON.parse(readFileSync(file, "utf8"));
  expect(ordeal(["replay", file])).toMatchObject({ status: trace.verdict ? 1 : 0 });
  expect(ordeal(["replay", file, "--short"]).text.trim()).toBe(trace.short);
  await page.keyboard.press("b");
  await page.keyboard.press("Delete");
  await expect(branches(page)).toHaveCount(1);
  await expect(at(page, 2)).toBeVisible();
  expect(errors).toEqual([]);
});

test("A scenario is opened, and its filters decide what can happen", async ({ page }) => {
  const errors = await openServed(page, server);
  await page.getByLabel("Search").fill("late-decision");
  await page.getByLabel("Scenarios").selectOption("late-decision");
  await expect(page.getByText("a crashed node's decision arrives after that of its successor")).toBeVisible();
  await page.getByRole("form", { name: "A scenario" }).getByRole("button", { name: "Start" }).click();
  await expect(at(page, 0)).toBeVisible();
  await page.keyboard.press("r");
  await expect(at(page, 1)).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toContain("scenario=late-decision&short=");
  expect(errors).toEqual([]);
});

test("A search goes on from a step, and what it finds becomes a branch", async ({ page }) => {
  const errors = await openServed(page, server, `#${bad}&short=0.0.0&view=fork&step=2`);
  await expect(branches(page)).toHaveCount(1);
  await page.getByLabel("Strategy").selectOption("bfs");
  await page.getByRole("button", { name: "Run on with" }).click();
  await expect(outcome(page)).toHaveText("✗ violated: termination; shown as a branch");
  await expect(branches(page)).toHaveCount(2);
  await expect(branches(page).nth(1)).toContainText("✗ termination");
  // All views, the search and the link fit beside the picker of runs.
  expect((await page.getByRole("banner").boundingBox())!.height).toBeLessThan(50);
  const file = await download(page, () => page.getByRole("button", { name: "Save trace" }).click());
  expect(ordeal(["replay", file]).status).toBe(1);
  await page.getByRole("button", { name: "Open in diagram" }).click();
  await expect(page.getByRole("tab", { name: "Diagram" })).toHaveAttribute("aria-selected", "true");
  expect(errors).toEqual([]);
});

test("A check is watched from its start to its verdict, and its finding is opened", async ({ page }) => {
  const errors = await openServed(page, server, "#view=explore");
  await chooseBad(page, "explore");
  await page.getByRole("button", { name: "Start the check" }).click();
  const job = page.getByRole("region", { name: /hierarchical-consensus/ });
  await expect(job).toContainText("✗ violated");
  await expect(job.getByRole("img", { name: /^Distinct states: now \d+/ })).toBeVisible();
  await expect(job.getByRole("row", { name: /termination eventually ✗ violated/ })).toBeVisible();
  await expectAccessible(page);
  await job.getByRole("button", { name: "Open the run" }).click();
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tabpanel")).toContainText("termination");
  // A page that is loaded later knows of the check, and asks for its run.
  await page.getByRole("tab", { name: "Explore" }).click();
  await expect.poll(() => new URL(page.url()).hash).toContain("view=explore");
  await page.reload();
  await job.getByRole("button", { name: "Open the run" }).click();
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  expect(errors).toEqual([]);
});

test("A check requires coverage where that is ticked", async ({ page }) => {
  await openServed(page, server, "#view=explore");
  await page.locator("#explore-subject").selectOption("hierarchical-consensus");
  await page.getByText("Bounds and options").click();
  await page.getByLabel("fail where something never occurs").check();
  const asked = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/jobs"));
  await page.getByRole("button", { name: "Start the check" }).click();
  expect((await asked).postDataJSON().options).toMatchObject({ require_coverage: true });
});

test("A search that takes long shows how it goes, and is stopped", async ({ page }) => {
  await openServed(page, server, "#view=explore");
  await page.locator("#explore-subject").selectOption("raft");
  await page.locator("#explore-strategy").selectOption("random");
  await page.getByText("Bounds and options").click();
  await page.locator("#explore-max_runs").fill("1000000000");
  await page.getByRole("button", { name: "Start the check" }).click();
  const job = page.getByRole("region", { name: /^raft/ });
  await expect(job).toContainText("▸ running");
  await expect(job.getByRole("img", { name: /^States per second: now [1-9]/ })).toBeVisible({ timeout: 10_000 });
  await expect(job.getByRole("img", { name: /^Runs: now [1-9]/ })).toBeVisible();
  await picture(page, "explore");
  await job.getByRole("button", { name: "Stop" }).click();
  await expect(job).toContainText("■ stopped");
});

test("Scenarios fill their table; one that fails leads to its run", async ({ page }) => {
  const errors = await openServed(page, server, "#view=explore");
  await page.getByRole("button", { name: "Scenarios", exact: true }).click();
  await page.locator("#scenarios-subject").selectOption("hierarchical-consensus");
  await page.locator("#scenarios-bug").selectOption("advance-once");
  await page.getByRole("button", { name: /^Run \d+ scenarios/ }).click();
  const table = page.getByRole("region", { name: "Scenarios", exact: true }).getByRole("table");
  const failing = table.getByRole("row", { name: /^decision-before-notice ✗/ });
  await expect(failing).toBeVisible();
  await expect(page.getByRole("region", { name: /scenarios/ }).first()).toContainText(/\d failed/);
  await picture(page, "scenarios");
  await expectAccessible(page);
  await failing.getByRole("button").first().click();
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => new URL(page.url()).hash).toContain("scenario=decision-before-notice");
  expect(errors).toEqual([]);
});

test("The page that the server itself gives starts the subject that it was called with", async ({ page }) => {
  const own = await serve(["hierarchical-consensus", "--crash", "1", "--bug", "advance-once"]);
  const errors: string[] = [];
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  await page.goto(own.url + own.hash);
  await expect(at(page, 0)).toBeVisible();
  await option(page, 0).click();
  await expect(at(page, 1)).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash)
    .toBe("#system=hierarchical-consensus&p.crash=1&bug=advance-once&short=0&view=fork&step=1");
  expect(errors).toEqual([]);
  await own.end();
  await option(page, 0).click();
  await expect(page.getByText("The server is gone")).toBeVisible();
});

test("Logs of other tools are read by the server, and can be looked at", async ({ page }) => {
  const errors = await openServed(page, server);
  const run = test.info().outputPath("run.json");
  writeFileSync(run, JSON.stringify(traceOf(["hierarchical-consensus", "--crash", "1", "--bug", "advance-once"])));
  const log = test.info().outputPath("run.log");
  expect(ordeal(["trace", "export", run, "--format", "shiviz", "--out", log]).status).toBe(0);
  const input = page.getByLabel("Open files");
  await input.setInputFiles({ name: "none.log", mimeType: "text/plain", buffer: Buffer.from("nothing of the kind") });
  await expect(page.getByRole("region", { name: "Files" }).getByRole("alert")).toContainText("none.log: ");
  await input.setInputFiles(log);
  await expect(page.getByRole("tab", { name: "Diagram" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("tab", { name: "Fork" }).click();
  await expect(page.getByText("This run was imported from shiviz")).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "no link: save the trace instead" })).toBeVisible();
  await page.getByRole("tab", { name: "Open" }).click();
  const message = (id: number, src: string, dest: string) => JSON.stringify({ id, src, dest, body: { type: "echo", msg_id: id } });
  await input.setInputFiles({
    name: "messages.jsonl", mimeType: "text/plain",
    buffer: Buffer.from(`${message(1, "c1", "n1")}\n${message(2, "n1", "c1")}\n`),
  });
  await expect(page.getByRole("tab", { name: "Diagram" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("combobox", { name: "Run", exact: true })).toHaveValue("1");
  expect(errors).toEqual([]);
});
