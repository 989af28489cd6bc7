// The real thing: a policy is written, planned, approved by another person and applied to four engines, and holds when its gateway falls silent.
import type { Page } from "@playwright/test";
import { demo } from "./demo.ts";
import { api, expect, picture, settled, test, type List } from "./fixtures.ts";
import { hasLab, lab } from "./lab.ts";
import { approveAndApply, change } from "./people.ts";

const POLICY = "sp-out";
/** One of each: BIRD, FRR, gated's stand-in, the bare kernel. */
const NODES = ["sp04", "sp06", "sp07", "sp08"];
const NODE = "sp05";
const DONE = /^(done|rolled_back|failed)$/;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

test.afterEach(async () => {
  if (hasLab) await lab("restore", "grf1");
});

/** A policy of that name, whether an earlier run wrote it or not. */
async function written(page: Page, name: string): Promise<boolean> {
  const { items } = await api<List<{ name: string }>>(page, "failover-policies?limit=100");
  return items.some((policy) => policy.name === name);
}

async function write(page: Page): Promise<void> {
  await page.goto("/policies/new");
  await settled(page);
  await page.getByLabel("Name", { exact: false }).first().fill(POLICY);
  await page.getByLabel("Destination").fill("10.9.0.0/24");
  await page.getByLabel("Note").fill("SP nodes: grf1, then atmgw.");
  await page.getByLabel("Names or patterns").fill(NODES.join(", "));
  await expect(page.getByTestId("group-count")).toHaveText("4 nodes");
  for (const gateway of ["grf1", "atmgw"]) await page.getByLabel(/First gateway|Add a gateway/).selectOption(gateway);
  await page.getByLabel("End-to-end target").fill("10.9.0.1");
  await page.getByRole("button", { name: "Save the policy" }).click();
  await expect(page).toHaveURL(/\/policies\/\d+/);
}

test("a policy is written, planned, approved by another person, applied wave by wave, and then a silent gateway costs nobody the way", async ({ page, browser }) => {
  test.setTimeout(400_000);
  if (!(await written(page, POLICY))) await write(page);
  await page.goto(`/policies?q=${POLICY}`);
  await settled(page);
  await page.getByRole("table", { name: "Policies" }).getByRole("link", { name: POLICY }).click();
  await page.getByRole("button", { name: "Make a plan" }).click();
  await expect(page).toHaveURL(/\/changes\/\d+/, { timeout: 30_000 });
  await settled(page);
  await picture(page, "change-planned");
  await approveAndApply(page, browser, "60", "change-to-approve");
  await expect(async () => {
    const confirm = page.getByRole("button", { name: "Confirm this wave" });
    if (await confirm.isEnabled({ timeout: 200 }).catch(() => false)) await confirm.click();
    expect(await change(page).getAttribute("data-change-state")).toMatch(DONE);
  }).toPass({ timeout: 240_000, intervals: [500] });
  await picture(page, "change-done");
  await expect(change(page)).toHaveAttribute("data-change-state", "done");
  for (const node of NODES) await expect(page.getByTestId("outcome").locator(`[data-node="${node}"]`)).toContainText("has saved it for the next boot");

  const row = (node: string) => page.locator(`table[aria-label="Paths of ${POLICY}"] tr[data-node="${node}"]`);
  await page.goto(`/paths?policy=${POLICY}`);
  await settled(page);
  for (const node of NODES) await expect(row(node)).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
  await lab("silence", "grf1");
  for (const node of NODES) await expect(row(node)).toHaveAttribute("data-active", "atmgw", { timeout: 15_000 });
  await picture(page, "checker-fallback");
  await lab("restore", "grf1");
  for (const node of NODES) await expect(row(node)).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
});

test("a change that is rolled back from the bar is proven to be as before", async ({ page, browser }) => {
  test.setTimeout(240_000);
  const { items } = await api<List<{ id: number; name: string }>>(page, "failover-policies?limit=100");
  const known = items.find(({ name }) => name === "e2e-back");
  const body = {
    site: "argonne", name: "e2e-back", nodes: { names: [NODE] }, prefix: "10.200.0.0/16", gateways: ["atmgw", "grf1"], detection: "checker", note: "Made by a browser test.",
  };
  const headers = { Authorization: `Bearer ${demo().token}` };
  const made = known ?? ((await (await page.request.post("/api/v1/failover-policies", { data: body, headers })).json()) as { id: number });
  await page.goto(`/policies/${made.id}`);
  await page.getByRole("button", { name: "Make a plan" }).click();
  await expect(page).toHaveURL(/\/changes\/\d+/, { timeout: 30_000 });
  const address = page.url();
  await approveAndApply(page, browser, "60");
  await page.goto("/links");
  const bar = page.getByTestId("confirm-bar");
  await expect(bar).toBeVisible({ timeout: 60_000 });
  await picture(page, "countdown");
  await bar.getByRole("button", { name: "Roll back" }).click();
  await page.goto(address);
  await expect(change(page)).toHaveAttribute("data-change-state", "rolled_back", { timeout: 60_000 });
  await expect(page.getByTestId("outcome").locator(`[data-node="${NODE}"]`)).toHaveAttribute("data-proven", "true");
  await picture(page, "change-rolled-back");
});
