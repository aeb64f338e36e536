import { expect, test, type Page } from "@playwright/test";
import { openPage } from "./page";
import { madeTrace } from "./traces";

// Text that tries to become markup, a script, the end of the element it stands in, or a prototype.
const HOSTILE = [
  "<img src=x onerror=\"window.hacked=1\">", "</script><script>window.hacked=1</script>", "<!--<script>",
  "javascript:window.hacked=1", "\"><svg onload=window.hacked=1>", "${window.hacked=1}", "\u2028\u0000\u202e",
];

function hostileTrace() {
  const trace = madeTrace(40);
  const bad = HOSTILE.join(" ");
  trace.system = bad;
  trace.parameters = { [bad]: bad, bug: bad };
  trace.scenario = bad;
  trace.strategy = bad;
  trace.node_names = { "1": bad };
  trace.node_types = { "1": bad, "2": bad };
  trace.verdict = { property: bad, kind: bad, why: bad, nodes: [1, 2], step: 40 };
  for (const part of trace.initially!.parts!) part.tree = { $type: bad, term: 0, [bad]: { __proto__: bad, $enum: bad } };
  for (const step of trace.steps) {
    step.type = bad;
    step.payload = { $type: bad, [bad]: [bad, { $map: [[bad, bad]] }] };
    step.log = step.decided = step.scenario = [bad];
    step.timers = ["+" + bad];
    step.failure = bad;
    step.changes = [{ path: bad, before: bad, after: bad }];
    for (const sent of step.sent ?? []) { sent.type = bad; sent.text = bad; }
    if (step.history) for (const event of step.history) event.text = bad;
  }
  return trace;
}

async function hacked(page: Page): Promise<boolean> {
  return page.evaluate(() => "hacked" in window || "hacked" in {});
}

test("A hostile trace runs no script and adds no element, in any view", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => { if (!request.url().startsWith("file:")) requests.push(request.url()); });
  const run = { name: HOSTILE.join(), role: HOSTILE.join(), trace: hostileTrace() };
  await openPage(page, { title: HOSTILE[0], runs: [run, run] });
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await page.waitForTimeout(50);
    expect(await page.locator("#app img, #app script, #app iframe, #app [onload], #app [onerror]").count()).toBe(0);
    expect(await page.locator('#app a[href^="javascript"]').count()).toBe(0);
    expect(await hacked(page)).toBe(false);
  }
  expect(requests).toEqual([]);
});

test("Hostile text in the address runs no script", async ({ page }) => {
  const run = { name: "made", role: "run", trace: madeTrace(10) };
  const hash = "#system=" + encodeURIComponent(HOSTILE[0]!) + "&short=" + encodeURIComponent(HOSTILE[1]!) +
    "&view=__proto__&step=1e99&p.__proto__=x&%E0%A4%A";
  await openPage(page, { runs: [run] }, hash);
  await expect(page.getByRole("tablist", { name: "Views" })).toBeVisible();
  expect(await hacked(page)).toBe(false);
  expect(await page.locator("#app img").count()).toBe(0);
});

test("The page's policy refuses a script that was put into it", async ({ page }) => {
  await openPage(page, { runs: [{ name: "made", role: "run", trace: madeTrace(10) }] });
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 1";
    document.body.append(script);
  });
  expect(await hacked(page)).toBe(false);
});
