// Break-glass: an administrator releases a policy on the node; it survives a reboot, is shown, and is cleared.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab, lab } from "./support/lab.ts";
import { approveAndApply, change, proposeChange } from "./support/people.ts";

const NODE = "sp08";
const POLICY = "e2e-release";
const PREFIX = "10.204.0.0/16";
// Other tests change the address of grf1 and run at the same site afterwards.
const GATEWAYS = ["atmgw"];
const AGENT = fileURLToPath(new URL("../../.venv/bin/backstay-agent", import.meta.url));
const STATE = `${dirname(process.env.BACKSTAY_DEMO_JSON ?? "")}/agents/argonne/${NODE}`;
const run = promisify(execFile);

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

/** Runs a program in the node's network namespace. */
async function onNode(...command: string[]): Promise<string> {
  const { pid } = JSON.parse(await readFile(`${STATE}/status.json`, "utf8")) as { pid: number };
  const { stdout } = await run("nsenter", ["--target", String(pid), "--net", ...command], {
    timeout: 60_000,
  });
  return stdout;
}

/** While the node reboots, its agent does not run. */
const routes = () => onNode("ip", "route", "show", PREFIX).catch(String);

async function openNode(page: Page): Promise<void> {
  const { items } = await api<List<{ name: string; url: string }>>(page, `nodes?q=${NODE}`);
  await page.goto(items.find(({ name }) => name === NODE)?.url ?? "/");
  await settled(page);
}

test("a policy released on the node is removed, stays removed after a reboot and is shown", async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  await page.goto("/");
  await proposeChange(page, POLICY, NODE, PREFIX, GATEWAYS);
  await approveAndApply(page, browser, "60", undefined, true);
  await expect(change(page)).toHaveAttribute("data-change-state", "done", { timeout: 90_000 });
  expect(await routes()).toContain("via");

  const output = await onNode(AGENT, "release", POLICY, "--state", STATE);
  expect(output).toContain("was released on this node");
  expect(await routes()).toBe("");

  await lab("reboot", NODE);
  await expect.poll(routes, { timeout: 90_000 }).toBe("");

  await openNode(page);
  await expect(page.getByText("released on the node", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/was released on the node at .* by root: e2e-release/).first()).toBeVisible();
  await picture(page, "node-released");
});

test("a released node blocks a plan by name, until an operator lets Backstay manage it again", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await page.goto("/");
  await proposeChange(page, POLICY, NODE, PREFIX, GATEWAYS);
  await expect(page.getByText(/sp08 was released on the node at .* by root/).first()).toBeVisible();

  await openNode(page);
  await page.getByRole("button", { name: "Manage again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Manage again" }).click();
  await expect(page.getByRole("heading", { name: "Management" })).toHaveCount(0, { timeout: 60_000 });
  expect(await routes()).toBe("");

  await proposeChange(page, POLICY, NODE, PREFIX, GATEWAYS);
  await expect(page.getByRole("button", { name: /^Approve plan/ }).or(change(page))).toBeVisible();
  await expect(page.getByText(/was released on the node at/)).toHaveCount(0);
});
