// The page of an experiment, as `ordeal experiment` writes it: plots that can be moved and read.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Page } from "@playwright/test";
import { command } from "./traces";

const experiment = `
name = "pages & <b>plots</b>"
trials = 3
budget = { episodes = 40 }
measures = ["coverage"]
horizon = 20

[[subject]]
name = "cube-world"
parameters = { cubes = 2, width = 4, breadth = 4, depth = 2 }

[[strategy]]
name = "uniform"

[[strategy]]
name = "bonusmax"
label = "bonus <i>& more</i>"
`;

let written = "";
test.beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "ordeal-e2e-"));
  const file = join(folder, "e.toml");
  writeFileSync(file, experiment);
  execFileSync(command, ["experiment", file, "--out", join(folder, "out"), "--quiet"], { stdio: "pipe" });
  written = pathToFileURL(join(folder, "out", "results.html")).href;
});

const plot = (page: Page) => page.locator(".plot svg");
/** The words along the x-axis and the y-axis. */
const axes = (page: Page): Promise<string[]> => plot(page).locator("text").allTextContents();

test("An experiment's page opens without errors, and names of the file are text", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(written);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("pages & <b>plots</b>");
  await expect(page.locator("h1 b, button i, td i")).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "mean ± deviation" })).toBeVisible();
  await expect(plot(page)).toHaveCount(1);
  await expect(plot(page).locator("polyline")).toHaveCount(2);
  await page.screenshot({ path: "../out/viewer/experiment.png" });
  expect(errors).toEqual([]);
});

test("A series can be hidden, and comes back", async ({ page }) => {
  await page.goto(written);
  const button = page.getByRole("button", { name: "bonus <i>& more</i>" });
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(plot(page).locator("polyline")).toHaveCount(1);
  await plot(page).hover({ position: { x: 500, y: 200 } });
  await expect(page.locator(".read")).toContainText("uniform: ");
  await expect(page.locator(".read")).not.toContainText("bonus");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(plot(page).locator("polyline")).toHaveCount(2);
});

test("A value is read where the pointer is, with its band", async ({ page }) => {
  await page.goto(written);
  await plot(page).hover({ position: { x: 500, y: 200 } });
  await expect(page.locator(".read")).toHaveText(/uniform: [\d.,]+ \([\d.,]+ to [\d.,]+\); bonus <i>& more<\/i>: /);
});

test("The wheel and keys zoom, a drag and arrows move, a double click shows all again", async ({ page }) => {
  await page.goto(written);
  const whole = await axes(page);
  await plot(page).hover({ position: { x: 400, y: 200 } });
  await page.mouse.wheel(0, -400);
  await expect.poll(() => axes(page)).not.toEqual(whole);
  const near = await axes(page);

  const box = (await plot(page).boundingBox())!;
  await page.mouse.move(box.x + 400, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, box.y + 280, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => axes(page)).not.toEqual(near);
  const moved = await axes(page);

  await plot(page).dblclick({ position: { x: 400, y: 200 } });
  await expect.poll(() => axes(page)).toEqual(whole);

  await plot(page).focus();
  for (let i = 0; i < 6; ++i) await page.keyboard.press("+");
  await expect.poll(() => axes(page)).not.toEqual(whole);
  const byKeys = await axes(page);
  for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowRight");
  await expect.poll(() => axes(page)).not.toEqual(byKeys);
  expect(await axes(page)).not.toEqual(moved);
  await page.keyboard.press("0");
  await expect.poll(() => axes(page)).toEqual(whole);
});
