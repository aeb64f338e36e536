import { expect, test, type Locator, type Page } from "@playwright/test";
import type { DiagramElement } from "../src/diagram/canvas";
import { isFlight } from "../src/diagram/model";
import type { Trace } from "../src/trace/format";
import { Run } from "../src/trace/run";
import { openPage } from "./page";
import { statesOf, walkOf } from "./real";
import { madeTrace } from "./traces";

const RAFT = ["raft", "--bug", "late-vote-save", "--crash", "3", "--recoveries", "1"];
const FAULTS = ["raft", "--clients", "2", "--writes", "2", "--reads", "2", "--terms", "3",
  "--candidates", "3", "--heartbeats", "2", "--crash", "3", "--recoveries", "2", "--drops", "3",
  "--duplicates", "3", "--partitions", "2", "--network", "bag", "--seed", "5"];

async function open(page: Page, trace: Trace, role = "run"): Promise<Locator> {
  await openPage(page, { runs: [{ name: "it", role, trace }] });
  await page.getByRole("tab", { name: "Diagram" }).click();
  const canvas = page.locator("#diagram-canvas");
  await settled(canvas);
  await canvas.focus();
  return canvas;
}

/** Waits until what was asked for has reached the canvas, and its motion has come to rest. */
async function settled(canvas: Locator): Promise<void> {
  await canvas.evaluate(() => new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120)));
  }));
  await expect(canvas).toHaveAttribute("data-still", "true");
}
const data = async (canvas: Locator, name: string) => Number(await canvas.getAttribute(`data-${name}`));
const stepField = (page: Page) => page.getByLabel("Go to step");

test("A violating run is drawn whole, and opens at the violation", async ({ page }) => {
  const trace = statesOf(RAFT);
  const run = new Run(trace);
  const canvas = await open(page, trace, "violation");
  await expect(canvas).toHaveAttribute("data-detail", "full");
  await expect(stepField(page)).toHaveValue(String(run.verdictStep));
  const label = await canvas.getAttribute("aria-label");
  expect(label).toContain(`${trace.verdict!.property} is violated after step ${run.verdictStep}`);
  // Every message is there: as an arrow, or as what is still under way.
  expect(await data(canvas, "arrows")).toBe(run.messages.filter(isFlight).length);
  expect(await data(canvas, "marks")).toBe(run.length);
  expect(await data(canvas, "texts")).toBeGreaterThanOrEqual(run.length);
});

test("The header of a lane tells who it is and whether it is down, and folds it", async ({ page }) => {
  const trace = statesOf(RAFT);
  const crash = trace.steps.findIndex((step) => step.kind === "crash") + 1;
  await open(page, trace);
  const head = page.getByRole("button", { name: /^node 3, Server, up/ });
  await expect(head).toBeVisible();
  await stepField(page).fill(String(crash));
  await stepField(page).press("Enter");
  const down = page.getByRole("button", { name: /^node 3, Server, down/ });
  await expect(down).toContainText("✗ down");
  const width = (await down.boundingBox())!.width;
  await down.press("Enter");
  await expect(down).toHaveAttribute("aria-pressed", "true");
  expect((await down.boundingBox())!.width).toBeLessThan(width / 2);
  await down.click();
  await expect(down).toHaveAttribute("aria-pressed", "false");
});

test("Types of messages are hidden and shown again, with their counts", async ({ page }) => {
  const trace = statesOf(RAFT);
  const run = new Run(trace);
  const votes = run.messages.filter((message) => message.type === "Vote").length;
  const canvas = await open(page, trace);
  const before = await data(canvas, "arrows");
  await page.getByRole("button", { name: /^Messages/ }).click();
  const box = page.getByRole("checkbox", { name: `Vote ${votes}`, exact: true });
  await box.uncheck();
  await expect(canvas).toHaveAttribute("data-arrows", String(before - votes));
  await expect(page.getByRole("button", { name: /^Messages \(\d+ of \d+\)/ })).toBeVisible();
  await page.getByRole("button", { name: "Hide all" }).click();
  await expect(canvas).toHaveAttribute("data-arrows", "0");
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(canvas).toHaveAttribute("data-arrows", String(before));
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
});

test("The keyboard goes along lanes and messages, and the step is announced", async ({ page }) => {
  const trace = statesOf(RAFT);
  const run = new Run(trace);
  await open(page, trace);
  const notice = page.locator(".notice[role=status]");
  await page.keyboard.press("Home");
  await expect(notice).toHaveText("start");
  await page.keyboard.press("ArrowRight");
  await expect(notice).toHaveText(`1: ${run.label(1)}`);
  const delivery = Math.min(...run.sentBy[1]!.filter((m) => m.endedAt > 0).map((m) => m.endedAt));
  await page.keyboard.press("Enter");
  await expect(stepField(page)).toHaveValue(String(delivery));
  await expect(notice).toContainText("is delivered");
  await page.keyboard.press("Backspace");
  await expect(stepField(page)).toHaveValue("1");
  await page.keyboard.press("ArrowDown");
  const next = run.trace.steps.findIndex((step, i) => i > 0 && step.node === run.step(1).node) + 1;
  await expect(stepField(page)).toHaveValue(String(next));
  await page.keyboard.press("ArrowUp");
  await expect(stepField(page)).toHaveValue("1");
  await page.keyboard.press("End");
  await expect(stepField(page)).toHaveValue(String(run.length));
});

test("The causal past and future are toggled by key and by button", async ({ page }) => {
  await open(page, statesOf(RAFT));
  const past = page.getByRole("button", { name: /Causal past/ });
  const future = page.getByRole("button", { name: /Causal future/ });
  await page.keyboard.press("p");
  await expect(past).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("f");
  await expect(future).toHaveAttribute("aria-pressed", "true");
  const pixels = () => page.locator("#diagram-canvas").evaluate((element) =>
    (element as HTMLCanvasElement).toDataURL().length);
  const both = await pixels();
  await past.click();
  await future.click();
  await expect(past).toHaveAttribute("aria-pressed", "false");
  expect(await pixels()).not.toBe(both);
});

test("The pointer tells and selects what it is on", async ({ page }) => {
  const trace = statesOf(RAFT);
  const run = new Run(trace);
  const canvas = await open(page, trace);
  const place = (row: number) => canvas.evaluate((element, at) => {
    const { diagram } = element as DiagramElement;
    const { columns, view, model } = diagram!;
    const lane = model.laneOfStep(model.run.step(at));
    return { x: columns.lanes[lane]!.x - view.left, y: (at + 0.75 - view.top) * view.rowPx };
  }, row);
  const second = await place(2);
  await canvas.hover({ position: second });
  await expect(page.locator(".diagram-tip")).toContainText(`2: ${run.label(2)}`);
  await canvas.click({ position: second });
  await expect(stepField(page)).toHaveValue("2");
  // In the middle of an arrow, the message is told.
  const taken = run.taken[2]!;
  const first = await place(taken.sentAt);
  await canvas.hover({ position: { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 } });
  await expect(page.locator(".diagram-tip")).toContainText(`sent in step ${taken.sentAt}, delivered in step 2`);
});

test("Zoom, pan, fit and back to the selected step", async ({ page }) => {
  const canvas = await open(page, madeTrace(600));
  await page.keyboard.press("Home");
  await settled(canvas);
  const rowPx = await data(canvas, "row-px");
  await canvas.hover({ position: { x: 300, y: 200 } });
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 300);
  await page.keyboard.up("Control");
  await expect.poll(() => data(canvas, "row-px")).toBeLessThan(rowPx);
  await page.getByRole("button", { name: "Fit" }).click();
  await settled(canvas);
  await expect(canvas).toHaveAttribute("data-rows", "0-600");
  await expect(canvas).toHaveAttribute("data-detail", "sums");
  await page.keyboard.press("c");
  await settled(canvas);
  await expect(canvas).toHaveAttribute("data-detail", "full");
  const top = async () => Number((await canvas.getAttribute("data-rows"))!.split("-")[0]);
  expect(await top()).toBe(0);
  await page.keyboard.press("PageDown");
  await settled(canvas);
  const afterPage = await top();
  expect(afterPage).toBeGreaterThan(10);
  await page.keyboard.press("Shift+ArrowDown");
  await settled(canvas);
  expect(await top()).toBeGreaterThan(afterPage);
  await canvas.hover({ position: { x: 300, y: 200 } });
  await page.mouse.wheel(0, -100000);
  await expect.poll(top).toBe(0);
  // Dragging pans and selects nothing.
  await page.mouse.move(400, 500);
  await page.mouse.down();
  await page.mouse.move(400, 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(top).toBeGreaterThan(5);
  await expect(stepField(page)).toHaveValue("0");
  await page.keyboard.press("+");
  await expect.poll(() => data(canvas, "row-px")).toBeGreaterThan(rowPx);
  await page.keyboard.press("-");
  // Another view and back: what was seen is seen again.
  await settled(canvas);
  const height = await data(canvas, "row-px");
  await page.keyboard.press("p");
  await page.getByRole("tab", { name: "Ring" }).click();
  await page.getByRole("tab", { name: "Diagram" }).click();
  await settled(canvas);
  expect(await data(canvas, "row-px")).toBeCloseTo(height);
  await expect(page.getByRole("button", { name: /Causal past/ })).toHaveAttribute("aria-pressed", "true");
});

test("Two fingers zoom", async ({ page }) => {
  const canvas = await open(page, madeTrace(300));
  const before = await data(canvas, "row-px");
  const browser = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ys: number[]) =>
    browser.send("Input.dispatchTouchEvent", { type, touchPoints: ys.map((y, id) => ({ x: 300, y, id })) });
  await touch("touchStart", [300, 500]);
  for (let i = 1; i <= 5; ++i) await touch("touchMove", [300 + i * 10, 500 - i * 10]);
  await touch("touchEnd", []);
  await expect.poll(() => data(canvas, "row-px")).toBeCloseTo(before / 2);
});

test("Faults, partitions, clients and the legend are drawn", async ({ page }) => {
  const trace = walkOf(FAULTS, 300);
  const kinds = new Set(trace.steps.map((step) => step.kind));
  for (const kind of ["crash", "drop", "duplicate", "partition", "timer"]) expect(kinds).toContain(kind);
  const canvas = await open(page, trace);
  await page.keyboard.press("Home");
  await settled(canvas);
  expect(await data(canvas, "bars")).toBeGreaterThan(0);
  await page.screenshot({ path: "../out/viewer/diagram-faults.png" });
  await page.getByRole("button", { name: "Legend" }).click();
  const legend = page.getByRole("group", { name: "Legend" });
  for (const words of ["message", "dropped", "partition; letters name the blocks", "in its causal past"]) {
    await expect(legend.getByText(words, { exact: true })).toBeVisible();
  }
  await page.screenshot({ path: "../out/viewer/diagram-legend.png" });
});

test("Operations of clients have bars, and points where they take effect", async ({ page }) => {
  const trace = walkOf(["single-copy-register", "--clients", "3", "--servers", "1", "--seed", "3"], 100);
  const run = new Run(trace);
  const over = run.operations.filter((operation) => operation.to > 0);
  trace.points = over.map(({ client, index, from }) => ({ client, operation: index, step: from }));
  const canvas = await open(page, trace);
  expect(over.length).toBeGreaterThan(2);
  await expect(canvas).toHaveAttribute("data-bars", String(run.operations.length));
  await expect(canvas).toHaveAttribute("data-points", String(over.length));
  const { x, y } = await canvas.evaluate((element) => {
    const { columns, view, model } = (element as DiagramElement).diagram!;
    const { lane, from, to } = model.operations.all[0]!;
    return { x: columns.lanes[lane]!.x + 13, y: ((from + to) / 2 + 0.75 - view.top) * view.rowPx };
  });
  await canvas.hover({ position: { x, y } });
  await expect(page.locator(".diagram-tip")).toContainText("takes effect after step");
  await page.screenshot({ path: "../out/viewer/diagram-operations.png" });
});

test("A hundred thousand events: little is drawn, and everything can be reached", async ({ page }) => {
  test.setTimeout(90_000);
  const canvas = await open(page, madeTrace(100_000));
  await expect(stepField(page)).toHaveValue("100000");
  const bounded = async () => {
    expect(await data(canvas, "marks")).toBeLessThan(400);
    expect(await data(canvas, "arrows")).toBeLessThan(4001);
    expect(await data(canvas, "texts")).toBeLessThan(1000);
  };
  await bounded();
  await stepField(page).fill("50000");
  await stepField(page).press("Enter");
  await settled(canvas);
  const [low, high] = (await canvas.getAttribute("data-rows"))!.split("-").map(Number);
  expect(low!).toBeLessThan(50_000);
  expect(high!).toBeGreaterThanOrEqual(50_000);
  await canvas.focus();
  await page.keyboard.press("0");
  await settled(canvas);
  await expect(canvas).toHaveAttribute("data-rows", "0-100000");
  await expect(canvas).toHaveAttribute("data-detail", "sums");
  await bounded();
  await page.screenshot({ path: "../out/viewer/diagram-100000.png" });
  for (let i = 0; i < 6; ++i) await page.keyboard.press("+");
  await settled(canvas);
  await bounded();
  // The overview beside it goes anywhere.
  const overview = page.getByRole("scrollbar", { name: "The whole run" });
  const box = (await overview.boundingBox())!;
  await overview.click({ position: { x: 20, y: box.height * 0.25 } });
  await settled(canvas);
  const middle = Number(await overview.getAttribute("aria-valuenow"));
  expect(middle).toBeGreaterThan(24_000);
  expect(middle).toBeLessThan(26_000);
  await overview.press("End");
  await expect.poll(async () => (await canvas.getAttribute("data-rows"))!.split("-")[1]).toBe("100000");
  await canvas.focus();
  await page.keyboard.press("c");
  await settled(canvas);
  await page.keyboard.press("p");
  await settled(canvas);
  await canvas.click({ position: { x: 700, y: 100 } });
  expect(Math.abs(Number(await stepField(page).inputValue()) - 50_000)).toBeLessThan(40);
  // The ring shows any of them, too.
  await page.getByRole("tab", { name: "Ring" }).click();
  await stepField(page).fill("70000");
  await stepField(page).press("Enter");
  await expect(page.locator(".ring-event")).toContainText("70000:");
  const stage = page.locator(".ring-stage");
  expect(Number(await stage.getAttribute("data-flights"))).toBeLessThan(151);
  expect(Number(await stage.getAttribute("data-waiting"))).toBeGreaterThan(0);
  await page.getByRole("button", { name: "One step on" }).click();
  await expect(page.locator(".ring-event")).toContainText("70001:");
});

test("A run that grows is followed at its end, and left alone elsewhere", async ({ page }) => {
  const canvas = await open(page, madeTrace(200));
  const grow = () => canvas.evaluate((element) => {
    const { diagram } = element as DiagramElement;
    const { run } = diagram!.model;
    for (let i = 0; i < 50; ++i) run.append({ kind: "timer", node: 1, type: "tick", choice: 0, causes: [0] });
    diagram!.grown();
  });
  const rows = async () => (await canvas.getAttribute("data-rows"))!.split("-").map(Number);
  await page.keyboard.press("End");
  await settled(canvas);
  await grow();
  await expect.poll(async () => (await rows())[1]).toBe(250);
  await page.keyboard.press("Home");
  await settled(canvas);
  const before = await rows();
  await grow();
  await settled(canvas);
  expect(await rows()).toEqual(before);
});

test("It fits small and wide screens, in light and dark", async ({ page }) => {
  await open(page, statesOf(RAFT), "violation");
  for (const [width, height] of [[1280, 800], [1920, 1080]] as const) {
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      await settled(page.locator("#diagram-canvas"));
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth ||
        document.documentElement.scrollHeight > innerHeight);
      expect(overflow).toBe(false);
      await page.screenshot({ path: `../out/viewer/diagram-${scheme}-${width}.png` });
    }
  }
});
