// How fast pages are: the time to the first paint of a report, and the time to draw one picture of the
// space-time diagram while it is panned and zoomed. Not a test: nothing here fails by being slow.
//
//   npm run build && npm run bench
//
// A picture is drawn by hand, again and again, and one pixel is read back each time: so the time is
// that of the whole drawing, and not that of waiting for the screen.
import { chromium, type Page } from "@playwright/test";
import type { DiagramElement } from "../src/diagram/canvas";
import config from "../playwright.config";
import { openPage } from "../e2e/page";
import { madeTrace } from "../e2e/traces";

const PICTURES = 240;

interface Times {
  median: number;
  p95: number;
  most: number;
}

function timesOf(samples: number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { median: at(0.5), p95: at(0.95), most: at(1) };
}

const ms = (time: number) => `${time.toFixed(time < 10 ? 2 : 0)} ms`;
const row = ({ median, p95, most }: Times) => `${ms(median)} | ${ms(p95)} | ${ms(most)}`;

/** What the page does between two pictures. */
type Motion = "pan, rows that can be read" | "pan, marks only" | "pan, sums" | "zoom, from near to the whole run";

function drawing(page: Page, motion: Motion): Promise<number[]> {
  return page.locator("#diagram-canvas").evaluate((element, [what, count]) => {
    const { diagram } = element as DiagramElement;
    const ctx = (element as HTMLCanvasElement).getContext("2d")!;
    const samples: number[] = [];
    const fit = diagram!.height / (diagram!.rows + 2);
    for (let i = 0; i < count; ++i) {
      const share = i / (count - 1);
      const rowPx = what.startsWith("pan, rows") ? 30 : what.startsWith("pan, marks") ? 5
        : what.startsWith("pan, sums") ? Math.max(fit, Math.min(0.5, fit * 8)) : 30 * (fit / 30) ** share;
      const seen = diagram!.height / rowPx;
      diagram!.jump({ rowPx, left: 0, top: what.startsWith("zoom")
        ? diagram!.rows / 2 - seen / 2 : share * Math.max(0, diagram!.rows - seen) });
      const start = performance.now();
      diagram!.draw();
      ctx.getImageData(0, 0, 1, 1);
      samples.push(performance.now() - start);
    }
    return samples.slice(8); // the first ones warm up
  }, [motion, PICTURES] as const);
}

/** From the begin of the navigation until the app is on the screen, with its run read. */
async function firstPaint(page: Page, events: number): Promise<number> {
  // The static part of a page is painted before; what counts is the app.
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(".shell")) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark("app"), 0));
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await openPage(page, { runs: [{ name: "made", role: "run", trace: madeTrace(events) }] });
  await page.waitForFunction(() => performance.getEntriesByName("app").length > 0);
  return page.evaluate(() => performance.getEntriesByName("app")[0]!.startTime);
}

const browser = await chromium.launch(config.use!.launchOptions!);
console.log(`Chromium ${browser.version()}, ${PICTURES} pictures each, 1280×800\n`);
console.log("| events | until the app is painted, median |\n| ---: | ---: |");
for (const events of [1_000, 10_000, 100_000]) {
  const times: number[] = [];
  for (let i = 0; i < 5; ++i) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    times.push(await firstPaint(page, events));
    await page.close();
  }
  console.log(`| ${events.toLocaleString("en")} | ${ms(timesOf(times).median)} |`);
}
console.log("\n| events | motion | median | p95 | most |\n| ---: | --- | ---: | ---: | ---: |");
for (const events of [1_000, 10_000, 100_000]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await openPage(page, { runs: [{ name: "made", role: "run", trace: madeTrace(events) }] });
  await page.getByRole("tab", { name: "Diagram" }).click();
  await page.waitForSelector('#diagram-canvas[data-still="true"]');
  const motions: Motion[] = ["pan, rows that can be read", "pan, marks only", "pan, sums", "zoom, from near to the whole run"];
  for (const motion of motions) {
    console.log(`| ${events.toLocaleString("en")} | ${motion} | ${row(timesOf(await drawing(page, motion)))} |`);
  }
  await page.close();
}
await browser.close();
