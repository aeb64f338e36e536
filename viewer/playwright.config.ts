import { defineConfig } from "@playwright/test";

// Debian's Chromium, without its calls home. CHROMIUM names another one.
export default defineConfig({
  testDir: "e2e",
  outputDir: "../out/viewer/results",
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  // A machine under load may be late once; what is late twice is wrong. What needed it is listed as flaky.
  retries: 1,
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
});
