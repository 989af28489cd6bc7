// Browser tests against a running demo (BACKSTAY_DEMO_JSON) with the system's Chromium.
import { defineConfig, devices } from "@playwright/test";
import { demo } from "./e2e/demo.ts";

const junit = process.env.BACKSTAY_JUNIT;

export default defineConfig({
  testDir: "./e2e",
  outputDir: "./test-results/run",
  // The lab is one network: tests that cut and restore it must not overlap.
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: junit === undefined ? [["list"]] : [["list"], ["junit", { outputFile: junit }]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: demo().url,
    viewport: { width: 1366, height: 768 },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
    },
  },
  projects: [
    { name: "sign-in", testMatch: /sign-in\.setup\.ts/ },
    { name: "pages", testMatch: /\.spec\.ts/, dependencies: ["sign-in"], use: { storageState: "./test-results/session.json" } },
  ],
});
