import { expect, test, type Page } from "@playwright/test";
import type { Trace } from "../src/trace/format";
import { Run } from "../src/trace/run";
import { openPage } from "./page";
import { statesOf } from "./real";
import { madeTrace } from "./traces";

const RAFT = ["raft", "--bug", "late-vote-save", "--crash", "3", "--recoveries", "1"];

async function open(page: Page, trace: Trace, role = "run"): Promise<void> {
  await openPage(page, { runs: [{ name: "it", role, trace }] });
  await page.getByRole("tab", { name: "Ring" }).click();
  await expect(page.locator(".ring-stage svg")).toBeVisible();
}

const stepField = (page: Page) => page.getByLabel("Go to step");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("Step, back, jump to the start, the end, the violation and a number", async ({ page }) => {
  const trace = statesOf(RAFT);
  const run = new Run(trace);
  await open(page, trace, "violation");
  const event = page.locator(".ring-event");
  await expect(event).toContainText(run.label(run.verdictStep));
  await expect(event).toContainText("✗ violation");
  await button(page, "To the start").click();
  await expect(event).toHaveText("The start");
  await button(page, "One step on").click();
  await expect(event).toHaveText(`1: ${run.label(1)}`);
  await button(page, "One step on").click();
  await expect(event).toHaveText(`2: ${run.label(2)}`);
  await button(page, "One step back").click();
  await expect(event).toHaveText(`1: ${run.label(1)}`);
  await button(page, "To the end").click();
  await expect(stepField(page)).toHaveValue(String(run.length));
  await button(page, "To the start").click();
  await button(page, "✗ Violation").click();
  await expect(stepField(page)).toHaveValue(String(run.verdictStep));
  await page.keyboard.press("Escape");
  await page.locator("#view").focus();
  await page.keyboard.press("g");
  await expect(stepField(page)).toBeFocused();
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await expect(event).toContainText(`3: ${run.label(3)}`);
  const slider = page.getByRole("slider", { name: "Step" });
  await slider.fill("4");
  await expect(slider).toHaveAttribute("aria-valuetext", `step 4: ${run.label(4)}`);
  await expect(event).toContainText(`4: ${run.label(4)}`);
});

test("Plays and pauses by button and by the space bar, at the speed that is chosen", async ({ page }) => {
  const trace = statesOf(RAFT);
  await open(page, trace);
  await button(page, "To the start").click();
  await page.getByLabel("Speed").selectOption("16");
  await button(page, /Play/).click();
  await expect(stepField(page)).toHaveValue(String(trace.steps.length));
  // It stops at the end; the next time it begins anew.
  await expect(button(page, /Play/)).toHaveAttribute("aria-pressed", "false");
  await page.getByLabel("Speed").selectOption("0.25");
  await page.locator("#view").focus();
  await page.keyboard.press(" ");
  await expect(button(page, /Pause/)).toBeVisible();
  await expect(stepField(page)).toHaveValue("0");
  await page.keyboard.press(" ");
  await expect(button(page, /Play/)).toBeVisible();
  await page.keyboard.press(">");
  await expect(page.getByLabel("Speed")).toHaveValue("0.5");
});

test("Messages move while a run is played", async ({ page }) => {
  await open(page, statesOf(RAFT));
  await button(page, "To the start").click();
  await page.getByLabel("Speed").selectOption("0.5");
  await button(page, "One step on").click();
  await button(page, /Play/).click();
  const dot = page.locator(".ring-flight.moving circle").first();
  const place = async () => `${await dot.getAttribute("cx")} ${await dot.getAttribute("cy")}`;
  const first = await place();
  await expect.poll(place).not.toBe(first);
  await button(page, /Pause/).click();
});

test("Who likes no motion sees no motion: steps jump", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, statesOf(RAFT));
  await button(page, "To the start").click();
  await button(page, "One step on").click();
  const dots = page.locator(".ring-flight.moving circle");
  await expect(dots.first()).toBeVisible();
  const before = await dots.first().getAttribute("cx");
  await page.getByLabel("Speed").selectOption("0.25");
  await button(page, /Play/).click();
  for (let i = 0; i < 5; ++i) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    if ((await stepField(page).inputValue()) !== "1") break;
    expect(await dots.first().getAttribute("cx")).toBe(before);
  }
});

test("A lamp tells who is down, in words too", async ({ page }) => {
  const trace = statesOf(RAFT);
  const crash = trace.steps.findIndex((step) => step.kind === "crash") + 1;
  const node = trace.steps[crash - 1]!.node!;
  await open(page, trace);
  await stepField(page).fill(String(crash));
  await stepField(page).press("Enter");
  await expect(button(page, new RegExp(`^node ${node}, Server, down`))).toBeVisible();
  await expect(page.locator(".ring-node.down .ring-downword")).toHaveText("down");
  await expect(page.locator(".ring-lamp.down")).toHaveCount(1);
});

test("The chosen variable is shown at every node that has it", async ({ page }) => {
  const trace = statesOf(RAFT);
  await open(page, trace, "violation");
  await expect(page.getByLabel("Variable")).toHaveValue("role");
  await expect(page.locator(".ring-pill text", { hasText: "Leader" })).toHaveCount(2);
  await page.getByLabel("Variable").selectOption("stable.term");
  await expect(page.locator(".ring-pill text")).toHaveText(["1", "1", "1"]);
  await page.getByLabel("Variable").selectOption("");
  await expect(page.locator(".ring-pill")).toHaveCount(0);
});

test("A node opens its state, by click and by key", async ({ page }) => {
  await open(page, statesOf(RAFT), "violation");
  const node = button(page, /^node 2, Server/);
  await node.click();
  const card = page.getByRole("region", { name: "State of node 2" });
  await expect(card.getByRole("tree")).toContainText("role");
  await page.screenshot({ path: "../out/viewer/ring-card.png" });
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
  await expect(node).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(card).toBeVisible();
  await card.getByRole("button", { name: "Close" }).click();
  await expect(card).toBeHidden();
});

test("A run without states says so", async ({ page }) => {
  const trace = madeTrace(30);
  delete trace.initially;
  for (const step of trace.steps) delete step.parts;
  await open(page, trace);
  await expect(page.getByLabel("Variable")).toBeDisabled();
  await button(page, /^node 1/).click();
  await expect(page.getByText("This run was written without states.")).toBeVisible();
});

test("It fits small and wide screens, in light and dark", async ({ page }) => {
  await open(page, statesOf(RAFT), "violation");
  for (const [scheme, width, height] of [["light", 1280, 800], ["dark", 1920, 1080]] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    const outside = () => page.locator(".ring-stage").evaluate((stage) => {
      const box = stage.getBoundingClientRect();
      return [...stage.querySelectorAll("text")].filter((text) => {
        const own = text.getBoundingClientRect();
        return own.left < box.left || own.right > box.right || own.top < box.top || own.bottom > box.bottom;
      }).map((text) => text.textContent);
    });
    await expect.poll(outside).toEqual([]);
    await page.screenshot({ path: `../out/viewer/ring-${scheme}-${width}.png` });
  }
});
