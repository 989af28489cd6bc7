// Runs the lab's command line, to change the demo's real network.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { api, expect, type List } from "./fixtures.ts";

const PROGRAM =
  process.env.BACKSTAY_LAB ?? fileURLToPath(new URL("../../../.venv/bin/backstay-lab", import.meta.url));
const LIMIT_MS = 30_000;

/** Whether a lab is running; without one, the tests that need it are skipped. */
export const hasLab = process.env.BACKSTAY_LAB_STATE !== undefined;

const run = promisify(execFile);

/** Runs a command to its end and returns its output. */
export async function lab(...command: string[]): Promise<string> {
  const { stdout } = await run(PROGRAM, command, { timeout: LIMIT_MS });
  return stdout;
}

/** Starts traffic for `seconds` without waiting for its end. */
export function traffic(from: string, to: string, mbps: number, seconds: number): ChildProcess {
  return spawn(PROGRAM, ["traffic", from, to, "--mbps", String(mbps), "--seconds", String(seconds)], {
    stdio: "ignore",
  });
}

/** Repairs grf1 and waits for failback: nodes that still move would make a plan stale. */
export async function restoreGrf1(page: Page): Promise<void> {
  if (!hasLab) return;
  await lab("restore", "grf1");
  await expect(async () => {
    const { items } = await api<List<{ placement: string; gateways: { name: string }[] }>>(
      page,
      "paths?limit=500",
    );
    const own = items.filter(({ gateways }) => gateways[0]?.name === "grf1");
    expect(own.map(({ placement }) => placement)).not.toContain("fallback");
  }).toPass({ timeout: 90_000 });
}
