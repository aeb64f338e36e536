// Nodes that run in real time, watched and disturbed from the page of the real `ordeal serve`.
import { expect, test } from "@playwright/test";
import { download, expectAccessible, openServed, ordeal, picture, serve, type Served } from "./served";

let server: Served;
test.beforeAll(async () => { server = await serve(); });
test.afterAll(async () => { await server.end(); });

test("A live run is watched, disturbed, recorded, and replayed in the simulator", async ({ page }) => {
  const errors = await openServed(page, server, "#view=live");
  await page.locator("#live-subject").selectOption("hierarchical-consensus");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start the nodes" }).click();
  await expect(page.getByRole("listitem", { name: "node 3" })).toContainText("▲ up");
  await page.getByRole("button", { name: "Pause node 2" }).click();
  await expect(page.getByRole("listitem", { name: "node 2" })).toContainText("‖ paused");
  await page.getByRole("button", { name: "Crash node 3" }).click();
  await expect(page.getByRole("listitem", { name: "node 3" })).toContainText("▼ down");
  await page.getByRole("button", { name: /^Link from 1 to 2/ }).click();
  await page.getByRole("button", { name: "Drop all" }).click();
  await expect(page.getByRole("button", { name: "Link from 1 to 2: drops all" })).toBeVisible();
  await page.getByRole("textbox", { name: "Command" }).fill("bounce 7");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log")).toContainText("✗ there is no command 'bounce'; there are pause, resume");
  await page.getByRole("textbox", { name: "Command" }).fill("resume 2");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listitem", { name: "node 2" })).toContainText("▲ up");
  await page.getByRole("textbox", { name: "Command" }).fill("nodes");
  await page.keyboard.press("Enter");
  const said = page.getByRole("log");
  await expect(said).toContainText("node 3 (Node): down");
  expect(await said.innerText()).toMatch(/\n> nodes\nnode 1 \(Node\): .*\nnode 2 \(Node\): .*\nnode 3 \(Node\): down/);
  await page.getByRole("button", { name: "Propose{value: 2} at 2" }).click();
  await expect(page.getByRole("log")).toContainText("request 1 for node 2: Propose{value: 2}");
  await expect(page.getByText(/· [1-9]\d* steps/)).toBeVisible();
  await picture(page, "live");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText("■ over")).toBeVisible();
  const file = await download(page, () => page.getByRole("button", { name: "Save recording" }).click());
  expect(ordeal(["replay", file]).status).toBe(0);
  await page.getByRole("button", { name: "Open in state" }).click();
  await expect(page.getByRole("tab", { name: "State" })).toHaveAttribute("aria-selected", "true");
  expect(errors).toEqual([]);
});

test("A violation of a live run is told at once; its recording is replayed, and continued by hand", async ({ page }) => {
  const errors = await openServed(page, server, "#view=live");
  await page.locator("#live-subject").selectOption("eager-reliable-broadcast");
  await page.locator("#live-bug").selectOption("deliver-twice");
  await page.locator("#live-unit").fill("soon");
  await page.getByRole("button", { name: "Start the nodes" }).click();
  await expect(page.getByRole("alert")).toContainText("Unit of time: found 'soon'; expected a number");
  await page.locator("#live-unit").fill("10");
  await page.getByRole("button", { name: "Start the nodes" }).click();
  await expect(page.getByRole("alert")).toContainText("✗ violated: no duplication");
  await expect(page.getByText("■ over")).toBeVisible();
  const file = await download(page, () => page.getByRole("button", { name: "Save recording" }).click());
  expect(ordeal(["replay", file]).status).toBe(1);
  await page.getByRole("tab", { name: "Fork" }).click();
  await expect(page.getByRole("listbox", { name: "Enabled actions" }).getByRole("option", { name: "⚡ crash 1" })).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toContain("&free=1&view=fork");
  await page.getByRole("tab", { name: "Live" }).click();
  await page.getByRole("button", { name: "Another run" }).click();
  await page.getByRole("button", { name: "Watch eager-reliable-broadcast --bug deliver-twice" }).first().click();
  await expect(page.getByRole("alert")).toContainText("✗ violated: no duplication");
  // The link to the recording leads to the same run, made anew by the engine.
  await page.evaluate(() => { location.hash = location.hash.replace("view=live", "view=overview"); });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "no duplication" })).toBeVisible();
  expect(errors).toEqual([]);
});
