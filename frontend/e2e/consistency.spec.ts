// While a gateway is broken, no two surfaces contradict each other: the cross-check of `make bench-truth`.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { expect, test } from "./support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "./support/lab.ts";

const PYTHON = fileURLToPath(new URL("../../.venv/bin/python", import.meta.url));
const DEMO = process.env.BACKSTAY_DEMO_JSON ?? "";

test.skip(!hasLab || DEMO === "", "needs a running demo and its lab");

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

/** What the surfaces disagree about now. */
function contradictions(): Promise<string> {
  const argv = ["-m", "backstay_bench.truth", "--check", "--demo", DEMO, "--site", "argonne"];
  return new Promise((resolve) => {
    execFile(PYTHON, argv, { timeout: 60_000 }, (_error, out, trouble) => resolve(`${out}${trouble}`.trim()));
  });
}

test("cut grf1: overview, map, paths, links, incidents and CLI agree", async () => {
  test.setTimeout(150_000);
  expect(await contradictions()).toBe("no contradiction");
  await lab("cut", "grf1");
  await expect(async () => expect(await contradictions()).toBe("no contradiction")).toPass({
    timeout: 60_000,
  });
});
