// Deep links and opening files, on pages from disk and from a server that is made up here.
import { expect, test } from "@playwright/test";
import { startMock } from "./mock";
import { openPage } from "./page";
import { madeTrace } from "./traces";

const runs = [
  { name: "first", role: "run", trace: madeTrace(20, 3, 1) },
  { name: "second", role: "run", trace: { ...madeTrace(30, 4, 2), parameters: { nodes: "4" } } },
];

test("A link opens the run that it names, in its view, at its step", async ({ page }) => {
  const short = Array.from({ length: 30 }, () => 0).join(".");
  await openPage(page, { runs }, `#system=made&p.nodes=4&short=${short}&view=state&step=7`);
  await expect(page.getByRole("combobox", { name: "Run", exact: true })).toHaveValue("1");
  await expect(page.getByRole("tab", { name: "State" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => new URL(page.url()).hash).toContain("step=8");
  await page.getByRole("tab", { name: "Diagram" }).click();
  await expect.poll(() => new URL(page.url()).hash).toContain("view=diagram&step=8");
  expect(new URL(page.url()).hash).toContain(`#system=made&p.nodes=4&short=${short}`);
  await page.evaluate(() => { location.hash = "#system=made&p.nodes=3&view=ring&step=2"; });
  await expect(page.getByRole("combobox", { name: "Run", exact: true })).toHaveValue("0");
  await expect(page.getByRole("tab", { name: "Ring" })).toHaveAttribute("aria-selected", "true");
});

test("The link that is copied leads to the same place", async ({ page, context }) => {
  await openPage(page, { runs }, "#system=made&p.nodes=3&view=state&step=5");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => undefined);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/report\.html#system=made&p\.nodes=3&short=0(\.0)+&view=state&step=5$/);
});

test("A link to a run that the page does not hold says which command shows it", async ({ page }) => {
  await openPage(page, { runs }, "#system=raft&p.servers=3&bug=stale-read&short=0.1.2");
  await expect(page.getByRole("alert"))
    .toContainText("ordeal replay 0.1.2 raft --bug stale-read --servers 3 --html run.html");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("A link that is wrong is told with what would be right, and runs nothing", async ({ page }) => {
  await openPage(page, { runs }, "#system=raft&short=<img src=x onerror=alert(1)>");
  await expect(page.getByRole("alert")).toContainText("expected a short form, such as 0.1.3.2");
});

const file = (name: string, text: string) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

test("A page from disk opens traces, and says who reads other logs", async ({ page }) => {
  await openPage(page, { runs: [] });
  await page.getByRole("tab", { name: "Open" }).click();
  const input = page.getByLabel("Open files");
  await input.setInputFiles(file("shiviz.log", 'n1 {"n1":1}\nstart'));
  await expect(page.getByRole("alert")).toContainText("shiviz.log: this is no trace of Ordeal");
  await expect(page.getByRole("alert")).toContainText("ordeal trace import shiviz.log");
  const bad = madeTrace(3) as unknown as { steps: { kind: unknown }[] };
  bad.steps[2]!.kind = "<b>";
  await input.setInputFiles(file("bad.json", JSON.stringify(bad)));
  await expect(page.getByRole("alert")).toContainText('bad.json: steps[2].kind: found "<b>"; expected one of');
  await input.setInputFiles(file("good.json", JSON.stringify(madeTrace(12))));
  await expect(page.getByRole("tab", { name: "Diagram" })).toHaveAttribute("aria-selected", "true");
});

test("A trace that is dropped on the page is opened", async ({ page }) => {
  await openPage(page, { runs }, "#view=open");
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.json", { type: "application/json" }));
    return data;
  }, JSON.stringify(madeTrace(9)));
  await page.getByRole("region", { name: "Files" }).dispatchEvent("drop", { dataTransfer: dropped });
  await expect(page.getByRole("combobox", { name: "Run", exact: true })).toHaveValue("2");
});

test("A server that ends is told, and found again", async ({ page }) => {
  let mock = await startMock();
  await page.goto(mock.url);
  await expect(page.getByLabel("Subject", { exact: true })).toHaveValue("made");
  const port = Number(new URL(mock.url).port);
  await mock.end();
  await page.getByRole("form", { name: "A subject" }).getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("The server is gone")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The server is gone")).toBeVisible();
  mock = await startMock({}, port);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The server is gone")).toHaveCount(0);
  await mock.end();
});

test("What a server refuses is told in its words", async ({ page }) => {
  const mock = await startMock();
  mock.answers["POST /api/run"] = (_body, _request, response) => {
    response.statusCode = 400;
    return { error: "address.short: step 2 has 3 actions; found <script>7</script>" };
  };
  await page.goto(`${mock.url}#system=made&short=0.7`);
  await expect(page.getByText("The run that this link names")).toContainText("found <script>7</script>");
  await page.getByRole("form", { name: "A subject" }).getByRole("button", { name: "Start" }).click();
  await expect(page.getByRole("form", { name: "A subject" }).getByRole("alert")).toContainText("step 2 has 3 actions");
  mock.answers["POST /api/run"] = () => ({ trace: { format: "ordeal-trace" } });
  await page.getByRole("form", { name: "A subject" }).getByRole("button", { name: "Start" }).click();
  await expect(page.getByRole("form", { name: "A subject" }).getByRole("alert")).toContainText("the server's trace: version: is missing");
  await mock.end();
});
