// The viewer is for everyone: every view passes axe-core in light and dark, every control is reached by
// Tab, has a name and shows its focus, and nothing needs scrolling sideways.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test, type Page } from "@playwright/test";
import { openPage, type PageData } from "./page";
import { startMock } from "./mock";
import { madeTrace } from "./traces";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const real = (name: string): unknown => JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), "utf8"));

const violation: PageData = {
  title: "raft",
  runs: [
    { name: "election safety", role: "violation", trace: real("raft-minimised") },
    { name: "election safety (as found)", role: "original", trace: real("raft-found") },
  ],
  report: { properties: [{ name: "election safety", kind: "always", verdict: "violated", note: "" }] },
};
const correct: PageData = { title: "made", runs: [{ name: "made", role: "run", trace: madeTrace(300) }] };

const VIEWS = ["overview", "diagram", "ring", "state", "steps", "compare", "open", "report"];

interface Finding {
  id: string;
  help: string;
  nodes: string[];
}

const ALL = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };
// What a page says is the same in light and dark; only its colours differ.
const COLOURS = { type: "rule", values: ["color-contrast"] };

async function findings(page: Page, runOnly = ALL): Promise<Finding[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    interface Axe {
      run(context: Document, options: unknown): Promise<{ violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[] }>;
    }
    const axe = (window as unknown as { axe: Axe }).axe;
    const result = await axe.run(document, { runOnly: only, resultTypes: ["violations"] });
    return result.violations.map(({ id, help, nodes }) => ({
      id, help, nodes: nodes.slice(0, 4).map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`),
    }));
  }, runOnly);
}

async function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function show(page: Page, view: string): Promise<void> {
  await page.locator(`#tab-${view}`).click();
  await page.waitForTimeout(100);
}

for (const [colorScheme, rules] of [["light", ALL], ["dark", COLOURS]] as const) {
  test.describe(`In ${colorScheme}`, () => {
    test.use({ colorScheme });
    test("every view of a violation passes axe-core", async ({ page }) => {
      await openPage(page, violation);
      for (const view of VIEWS) {
        await show(page, view);
        if (view === "state") await page.getByRole("treeitem", { name: /^role/ }).first().click();
        expect(await findings(page, rules), view).toEqual([]);
      }
    });
    test("a correct run, a wrong search and the list of keys pass axe-core", async ({ page }) => {
      await openPage(page, correct);
      expect(await findings(page, rules), "overview").toEqual([]);
      await page.keyboard.press("/");
      await expect(page.getByRole("searchbox")).toBeFocused();
      await page.keyboard.type("nodes[1].nothing > 3");
      await page.getByRole("button", { name: "Examples" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
      await show(page, "steps");
      expect(await findings(page, rules), "search").toEqual([]);
      await page.getByRole("button", { name: "Keyboard help" }).click();
      expect(await findings(page, rules), "help").toEqual([]);
    });
    test("the views of a served page pass axe-core", async ({ page }) => {
      const mock = await startMock({ runs: violation.runs });
      await page.goto(mock.url);
      for (const view of ["fork", "explore", "live", "open"]) {
        await show(page, view);
        expect(await findings(page, rules), view).toEqual([]);
      }
      await mock.end();
    });
  });
}

for (const [width, height] of [[1280, 800], [1920, 1080]] as const) {
  test(`Nothing needs scrolling sideways at ${width}×${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const data of [violation, correct]) {
      await openPage(page, data);
      for (const view of VIEWS) {
        await show(page, view);
        expect(await sideways(page), view).toBeLessThanOrEqual(0);
      }
    }
  });
}

interface Stop {
  what: string;
  name: string;
  visible: boolean;
}

/** Where Tab leads, from the start of the page until it comes around. */
async function walk(page: Page): Promise<{ stops: Stop[]; missed: string[] }> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    Object.assign(window, { walked: [] as { element: Element; look: string }[] });
  });
  for (let i = 0; i < 400; ++i) {
    await page.keyboard.press("Tab");
    const more = await page.evaluate(() => {
      const walked = (window as unknown as { walked: { element: Element; look: string }[] }).walked;
      const element = document.activeElement;
      if (!element || element === document.body || walked.some((stop) => stop.element === element)) return false;
      const look = [element, ...element.querySelectorAll("*")].slice(0, 60).map((one) => {
        const style = getComputedStyle(one);
        return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.stroke, style.strokeWidth, style.visibility].join();
      }).join(";");
      walked.push({ element, look });
      return true;
    });
    if (!more) break;
  }
  await page.evaluate(axeSource);
  return page.evaluate(() => {
    interface Axe {
      setup(root: Element): void;
      teardown(): void;
      commons: { text: { accessibleText(element: Element): string } };
    }
    const axe = (window as unknown as { axe: Axe }).axe;
    const walked = (window as unknown as { walked: { element: Element; look: string }[] }).walked;
    (document.activeElement as HTMLElement | null)?.blur();
    axe.setup(document.documentElement);
    const stops = walked.map(({ element, look }) => {
      const now = [element, ...element.querySelectorAll("*")].slice(0, 60).map((one) => {
        const style = getComputedStyle(one);
        return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.stroke, style.strokeWidth, style.visibility].join();
      }).join(";");
      return { what: element.outerHTML.slice(0, 120), name: axe.commons.text.accessibleText(element), visible: now !== look };
    });
    axe.teardown();
    const controls = "#app button, #app a[href], #app input, #app select, #app textarea, #app summary, #app [tabindex='0']";
    const missed = [...document.querySelectorAll<HTMLElement>(controls)].filter((element) => {
      const shown = element.checkVisibility() && !element.closest("dialog:not([open])");
      // In a group that arrows walk, only one is a stop of Tab; of radio buttons, too.
      const radio = element instanceof HTMLInputElement && element.type === "radio";
      return shown && !radio && !walked.some((stop) => stop.element === element) && !element.matches(":disabled, [tabindex='-1']");
    }).map((element) => element.outerHTML.slice(0, 120));
    return { stops, missed };
  });
}

for (const view of VIEWS) {
  test(`Tab reaches every control of the view ${view}; each has a name and shows its focus`, async ({ page }) => {
    await openPage(page, violation, `#view=${view}`);
    await page.waitForTimeout(150);
    const { stops, missed } = await walk(page);
    expect(stops.length).toBeGreaterThanOrEqual(5);
    expect(stops.filter((stop) => stop.name.trim() === "").map((stop) => stop.what)).toEqual([]);
    expect(stops.filter((stop) => !stop.visible).map((stop) => stop.what)).toEqual([]);
    expect(missed).toEqual([]);
  });
}

test("In forced colours the page still shows its signs", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openPage(page, violation);
  await expect(page.getByText("✗ Violated property")).toBeVisible();
  await page.screenshot({ path: "../out/viewer/forced-colours.png" });
  await show(page, "diagram");
  await page.screenshot({ path: "../out/viewer/forced-colours-diagram.png" });
});
