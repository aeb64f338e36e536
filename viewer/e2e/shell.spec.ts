import { expect, test } from "@playwright/test";
import { openPage } from "./page";
import { madeTrace } from "./traces";

test("A page opens from disk without a request and without an error", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  await openPage(page, { runs: [{ name: "made", role: "run", trace: madeTrace(50) }] });
  await expect(page.getByRole("tablist", { name: "Views" })).toBeVisible();
  await page.getByRole("tab", { name: "Report" }).click();
  await expect(page.getByText("The static part.")).toBeVisible();
  expect(errors).toEqual([]);
});

test("Data that cannot be read is told, with the place", async ({ page }) => {
  const trace = madeTrace(3) as unknown as { steps: { kind: unknown }[] };
  trace.steps[1]!.kind = 7;
  await openPage(page, { runs: [{ name: "bad", role: "run", trace }] });
  await expect(page.getByRole("alert")).toContainText("runs[0].trace.steps[1].kind: found 7; expected one of");
});
