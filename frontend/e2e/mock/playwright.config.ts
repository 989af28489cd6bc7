// Browser tests without a backend: a build of the pages that answers its own requests (src/mocks), the same at each run.
import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.ts";

const junit = process.env.BACKSTAY_JUNIT;
const port = process.env.PORT ?? "5199";
const url = `http://127.0.0.1:${port}`;
const folder = "../../test-results";

export default defineConfig({
  testDir: ".",
  workers: 2,
  fullyParallel: true,
  // A page is the same at each run; what may fail once is the start of the worker that answers, on a busy machine.
  retries: 1,
  timeout: 60_000,
  forbidOnly: true,
  expect: {
    timeout: 20_000,
    // Tolerates the antialiasing of another Chromium and the palette of the baselines (.ci/baselines.py); a moved panel,
    // a missing column and another accent colour exceed it.
    toHaveScreenshot: { maxDiffPixelRatio: 0.001, threshold: 0.1, animations: "disabled", scale: "css" },
  },
  // A picture without a baseline fails: only `make baselines` writes them.
  updateSnapshots: "none",
  snapshotPathTemplate: "{testDir}/baselines/{arg}{ext}",
  reporter: junit === undefined ? [["list"]] : [["list"], ["junit", { outputFile: junit }]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: url,
    viewport: { width: 1366, height: 768 },
    deviceScaleFactor: 1,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    actionTimeout: 10_000,
    launchOptions: CHROMIUM,
  },
  webServer: {
    command: `npm run --silent mock-site -- --port ${port}`,
    cwd: "../..",
    url,
    timeout: 180_000,
    reuseExistingServer: false,
  },
  projects: [
    { name: "baselines", testMatch: /baselines\.spec\.ts/, outputDir: `${folder}/baselines` },
    { name: "crawl", testMatch: /crawl\.spec\.ts/, outputDir: `${folder}/crawl` },
  ],
});
