// Browser tests with the system's Chromium: against a running demo (BACKSTAY_DEMO_JSON), or the mock's own without one.
import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM } from "./e2e/support/chromium.ts";
import { demo } from "./e2e/support/demo.ts";

const junit = process.env.BACKSTAY_JUNIT;
const isMock = process.env.BACKSTAY_DEMO_JSON === undefined;
/** They have a build and a configuration of their own. */
const MOCK = "**/mock/**";
/** They depend on nothing that the network does, so `make test` runs them while the tour changes it. */
const PAGES = /(pages|policies|port|throughput|walk|wallboard)\.spec\.ts/;
const signedIn = { dependencies: ["sign-in"], use: { storageState: "./test-results/session.json" } };

export default defineConfig({
  testDir: "./e2e",
  testIgnore: MOCK,
  // The lab is one network: tests that cut and restore it must not overlap.
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  // While the tour and the demo run on two processors, pages are slow; an expectation that holds does not wait.
  expect: { timeout: 25_000 },
  reporter: junit === undefined ? [["list"]] : [["list"], ["junit", { outputFile: junit }]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: demo().url,
    viewport: { width: 1366, height: 768 },
    screenshot: "only-on-failure",
    // Without it, a click on a button that never appears lasts until the end of the test, of minutes at times.
    actionTimeout: 60_000,
    launchOptions: CHROMIUM,
  },
  // Without a demo: the specs that the mock API can serve, against the development server.
  ...(isMock ? { webServer: { command: "npx vite", url: demo().url, reuseExistingServer: true } } : {}),
  projects: isMock
    ? [{ name: "mock", testMatch: /(paths|policies)\.spec\.ts/, outputDir: "./test-results/mock" }]
    : [
        { name: "sign-in", testMatch: /sign-in\.setup\.ts/, outputDir: "./test-results/sign-in" },
        {
          name: "network",
          testMatch: /\.spec\.ts/,
          testIgnore: [PAGES, MOCK],
          outputDir: "./test-results/network",
          ...signedIn,
        },
        { name: "pages", testMatch: PAGES, outputDir: "./test-results/pages", ...signedIn },
        // `make fault-screens`: takes minutes, so no part of a plain run.
        ...(process.env.BACKSTAY_FAULT_SCREENS === undefined
          ? []
          : [
              {
                name: "faults",
                testMatch: /faults\.screens\.ts/,
                outputDir: "./test-results/faults-run",
                ...signedIn,
              },
            ]),
      ],
});
