import { expect, test, type Page } from "@playwright/test";
import { openPage } from "./page";
import { madeTrace } from "./traces";

const made = (length: number) => ({ runs: [{ name: "made", role: "run", trace: madeTrace(length) }] });

/** What is typed before the field has the focus would be keys of the view. */
async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
}

test("The search opens by / in every view, and n and N walk its matches", async ({ page }) => {
  await openPage(page, made(400), "#view=overview");
  await openSearch(page);
  await page.keyboard.type("kind:crash or kind:recover");
  await expect(page.getByRole("status").filter({ hasText: /\d+ matches/ })).toBeVisible();
  await page.getByRole("tab", { name: "Steps" }).click();
  await page.locator("#view").focus();
  const heading = page.getByRole("complementary", { name: "Selected step" }).getByRole("heading", { level: 2 });
  const at = async () => Number(/Step (\d+)/.exec((await heading.textContent()) ?? "")?.[1] ?? 0);
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  const first = await at();
  await page.keyboard.press("n");
  const second = await at();
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first);
  await page.keyboard.press("N");
  expect(await at()).toBe(first);
});

test("A predicate over the state finds where it becomes true", async ({ page }) => {
  await openPage(page, made(400), "#view=steps&step=0");
  await openSearch(page);
  await page.keyboard.type("becomes(nodes[2].term >= 10)");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "1 of 1 match" })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Selected step" })).toContainText("10");
  await expect(page.getByRole("listbox").getByRole("option", { selected: true })).toContainText("matches");
  await page.getByLabel("Only matches").check();
  await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(1);
  await page.screenshot({ path: "../out/viewer/search.png" });
});

test("A wrong query says what is wrong, where, and what was meant", async ({ page }) => {
  await openPage(page, made(50), "#view=diagram");
  await openSearch(page);
  await page.keyboard.type("nodes[1].trem > 3");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("did you mean 'term'?");
  await expect(alert.locator("mark")).toHaveText("nodes[1].trem");
  await expect(page.getByRole("searchbox")).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox")).toHaveCount(0);
});

test("A list of 100,000 steps holds only the rows in sight, and jumps to its end", async ({ page }) => {
  await openPage(page, made(100_000), "#view=steps&step=0");
  const list = page.getByRole("listbox", { name: "Steps" });
  await list.focus();
  expect(await page.getByRole("listbox").getByRole("option").count()).toBeLessThan(80);
  await page.keyboard.press("End");
  await expect(page.getByRole("listbox").getByRole("option", { selected: true })).toContainText("100000");
  expect(await page.getByRole("listbox").getByRole("option").count()).toBeLessThan(80);
  await openSearch(page);
  await page.keyboard.type("nodes[1].term > 9000 and kind:fault");
  await expect(page.getByRole("status").filter({ hasText: /^[\d,]+ matches$/ })).toBeVisible({ timeout: 20_000 });
});

test("The diagram points at the rows that were found", async ({ page }) => {
  const trace = madeTrace(60);
  await openPage(page, { runs: [{ name: "made", role: "run", trace }] }, "#view=diagram&step=0");
  const canvas = page.locator("#diagram-canvas");
  await expect(canvas).toHaveAttribute("data-matches", "0");
  await openSearch(page);
  await page.keyboard.type("kind:timer");
  const timers = trace.steps.filter((step) => step.kind === "timer").length;
  await expect(page.getByRole("status").filter({ hasText: `${timers} matches` })).toBeVisible();
  await page.getByRole("button", { name: "Fit" }).click();
  await expect(canvas).toHaveAttribute("data-matches", String(timers));
  await page.screenshot({ path: "../out/viewer/search-diagram.png" });
});
