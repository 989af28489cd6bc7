// Browser tests with the system's Chromium: against a running demo (BACKSTAY_DEMO_JSON), or the mock's own without one.
import { defineConfig, devices } from "@playwright/test";
import { demo } from "./e2e/demo.ts";

const junit = process.env.BACKSTAY_JUNIT;
const isMock = process.env.BACKSTAY_DEMO_JSON === undefined;

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
  // Without a demo: the specs that the mock API can serve, against the development server.
  ...(isMock ? { webServer: { command: "npx vite", url: demo().url, reuseExistingServer: true } } : {}),
  projects: isMock
    ? [{ name: "mock", testMatch: /(paths|policies)\.spec\.ts/ }]
    : [
        { name: "sign-in", testMatch: /sign-in\.setup\.ts/ },
        {
          name: "pages",
          testMatch: /\.spec\.ts/,
          dependencies: ["sign-in"],
          use: { storageState: "./test-results/session.json" },
        },
      ],
});
