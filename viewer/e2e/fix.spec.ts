// Before and after a fix: a served run replayed on the correct form of its subject.
import { expect, test } from "@playwright/test";
import { openServed, serve } from "./served";

test("A run that fails is replayed on the correct form, and both are compared from where they part", async ({ page }) => {
  const server = await serve();
  try {
    const run = "system=raft&p.crash=3&p.recoveries=1&bug=late-vote-save&short=2.3.0.0.0.3.4.3";
    const errors = await openServed(page, server, `#${run}&view=compare&step=8`);
    await page.getByLabel("The same run on").selectOption({ label: "the correct form" });
    await page.getByRole("button", { name: "Replay and compare" }).click();
    await expect(page.getByLabel("Right run")).toContainText("the correct form: parts at step 2");
    await expect(page.getByText("Parameters that differ: bug: late-vote-save → none")).toBeVisible();
    await expect(page.getByRole("button", { name: "First divergence" })).toBeEnabled();
    await page.screenshot({ path: "../out/viewer/compare-fix.png" });
    expect(errors).toEqual([]);
  } finally {
    await server.end();
  }
});
