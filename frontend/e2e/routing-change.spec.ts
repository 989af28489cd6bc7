// The real thing: a policy is planned, approved and applied from the browser, holds when its gateway falls silent, and another one is rolled back.
import type { Page } from "@playwright/test";
import { demo } from "./demo.ts";
import { api, expect, picture, settled, test, type List } from "./fixtures.ts";
import { hasLab, lab } from "./lab.ts";

const POLICY = "sp-static";
const NODE = "sp05";
const DONE = /^(done|rolled_back|failed)$/;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

test.afterEach(async () => {
  if (hasLab) await lab("restore", "grf1");
});

const state = (page: Page) => page.getByTestId("change");

/** From a plan on screen to its first wave that waits. */
async function approveAndApply(page: Page): Promise<void> {
  await expect(state(page)).toHaveAttribute("data-change-state", "planned");
  for (const warning of await page.getByRole("checkbox").all()) await warning.check();
  await page.getByRole("button", { name: /^Approve plan/ }).click();
  await expect(state(page)).toHaveAttribute("data-change-state", "approved");
  await page.getByLabel("Guards roll back by themselves after").selectOption("60");
  await page.getByRole("button", { name: /^Apply to/ }).click();
}

test("the policy is planned, approved, applied wave by wave, and then a silent gateway costs nobody the way", async ({ page }) => {
  test.setTimeout(400_000);
  await page.goto(`/policies?q=${POLICY}`);
  await settled(page);
  await page.getByRole("table", { name: "Policies" }).getByRole("link", { name: POLICY }).click();
  await page.getByRole("button", { name: "Make a plan" }).click();
  await expect(page).toHaveURL(/\/changes\/\d+/, { timeout: 30_000 });
  await settled(page);
  await picture(page, "change-planned");
  await approveAndApply(page);
  await expect(async () => {
    const confirm = page.getByRole("button", { name: "Confirm this wave" });
    if (await confirm.isEnabled({ timeout: 200 }).catch(() => false)) await confirm.click();
    expect(await state(page).getAttribute("data-change-state")).toMatch(DONE);
  }).toPass({ timeout: 240_000, intervals: [500] });
  await picture(page, "change-done");
  await expect(state(page)).toHaveAttribute("data-change-state", "done");

  const row = page.locator(`table[aria-label="Paths of ${POLICY}"] tr[data-node="${NODE}"]`);
  await page.goto(`/paths?policy=${POLICY}`);
  await settled(page);
  await expect(row).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
  await lab("silence", "grf1");
  await expect(row).toHaveAttribute("data-active", "atmgw", { timeout: 15_000 });
  await picture(page, "checker-fallback");
  await lab("restore", "grf1");
  await expect(row).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
});

test("a change that is rolled back from the bar is proven to be as before", async ({ page }) => {
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
  await approveAndApply(page);
  await page.goto("/links");
  const bar = page.getByTestId("confirm-bar");
  await expect(bar).toBeVisible({ timeout: 60_000 });
  await picture(page, "countdown");
  await bar.getByRole("button", { name: "Roll back" }).click();
  await page.goto(address);
  await expect(state(page)).toHaveAttribute("data-change-state", "rolled_back", { timeout: 60_000 });
  await expect(page.getByTestId("outcome").locator(`[data-node="${NODE}"]`)).toHaveAttribute("data-proven", "true");
  await picture(page, "change-rolled-back");
});
