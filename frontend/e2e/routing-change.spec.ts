// A policy is created, planned, approved by a second user and applied to four engines; its gateway then fails.
import type { Page } from "@playwright/test";
import { demo } from "./support/demo.ts";
import { addGateway, api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "./support/lab.ts";
import { approveAndApply, change } from "./support/people.ts";

const POLICY = "sp-out";
/** One of each: BIRD, FRR, gated's stand-in, the bare kernel. */
const NODES = ["sp04", "sp06", "sp07", "sp08"];
const NODE = "sp05";
const DONE = /^(done|rolled_back|stopped|failed)$/;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

interface Policy {
  id: number;
  name: string;
  progress: { confirmed: number };
}

async function known(page: Page, name: string): Promise<Policy | undefined> {
  const { items } = await api<List<Policy>>(page, "failover-policies?limit=100");
  return items.find((policy) => policy.name === name);
}

/** The policy of these tests, on screen; written first unless it is there. */
async function write(page: Page): Promise<void> {
  const there = await known(page, POLICY);
  if (there !== undefined) {
    await page.goto(`/policies/${there.id}`);
    return;
  }
  await page.goto("/policies/new");
  await settled(page);
  await page.getByLabel("Name", { exact: false }).first().fill(POLICY);
  await page.getByRole("textbox", { name: "Destination" }).fill("10.9.0.0/24");
  await page.getByLabel("Note").fill("SP nodes: grf1, then atmgw.");
  await page.getByLabel("Names or patterns").fill(NODES.join(", "));
  await expect(page.getByTestId("group-count")).toHaveText("4 nodes");
  for (const gateway of ["grf1", "atmgw"]) await addGateway(page, gateway);
  await page.getByLabel("End-to-end target").fill("10.9.0.1");
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page).toHaveURL(/\/policies\/\d+/);
}

async function plan(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create plan" }).click();
  await expect(page).toHaveURL(/\/changes\/\d+/, { timeout: 30_000 });
  await settled(page);
}

async function importSite(page: Page, text: string): Promise<void> {
  const headers = { Authorization: `Bearer ${demo().token}` };
  const answer = await page.request.post("/api/v1/site-files", {
    data: { text, name: "site.yaml" },
    headers,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

test("a change with a wrong gateway address rolls back automatically and shows the evidence", async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  test.skip(
    ((await known(page, POLICY))?.progress.confirmed ?? 0) > 0,
    "already deployed: its routes have the right address",
  );
  const right = await lab("site-file", "argonne");
  const wrong = right.replace("10.1.0.16/24", "10.1.0.77/24");
  expect(wrong).not.toBe(right);
  try {
    await importSite(page, wrong);
    await write(page);
    await plan(page);
    await approveAndApply(page, browser, "60");
    await expect(change(page)).toHaveAttribute("data-change-state", "rolled_back", { timeout: 120_000 });
  } finally {
    await importSite(page, right);
  }
  await expect(page.locator("main")).toContainText(
    "Rolled back, 1 of 1 node verified as restored: sp04: 10.9.0.1: ",
  );
  const canary = page.getByTestId("outcome").locator('[data-node="sp04"]');
  await expect(canary).toHaveAttribute("data-proven", "true");
  await expect(canary.getByRole("list", { name: "Applied" })).toContainText("10.9.0.0/24 via 10.1.0.77");
  await expect(canary.getByRole("list", { name: "Probed" })).toContainText(
    /failed: 10\.9\.0\.1\d+ of \d+ lost/,
  );
  await expect(canary.getByRole("list", { name: "Restored and verified" })).toContainText(
    /bird\.confsha256 [0-9a-f]{64}, as before/,
  );
  await expect(page.getByTestId("outcome")).toContainText("3 nodes were not changed.");
  await picture(page, "change-wrong-address");
});

test("a policy is created, planned, approved by another person, applied in waves, and survives a gateway failure", async ({
  page,
  browser,
}) => {
  test.setTimeout(400_000);
  await write(page);
  await plan(page);
  await picture(page, "change-planned");
  await approveAndApply(page, browser, "60", "change-to-approve");
  await expect(async () => {
    const confirm = page.getByRole("button", { name: "Confirm wave" });
    if (await confirm.isEnabled({ timeout: 200 }).catch(() => false)) await confirm.click();
    expect(await change(page).getAttribute("data-change-state")).toMatch(DONE);
  }).toPass({ timeout: 240_000, intervals: [500] });
  await picture(page, "change-done");
  await expect(change(page)).toHaveAttribute("data-change-state", "done");
  for (const node of NODES)
    await expect(page.getByTestId("outcome").locator(`[data-node="${node}"]`)).toContainText(
      "saved it for the next boot",
    );

  const row = (node: string) =>
    page.locator(`table[aria-label="Paths"] tr[data-policy="${POLICY}"][data-node="${node}"]`);
  await page.goto(`/paths?policy=${POLICY}&view=nodes`);
  await settled(page);
  for (const node of NODES)
    await expect(row(node)).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
  await lab("silence", "grf1");
  for (const node of NODES)
    await expect(row(node)).toHaveAttribute("data-active", "atmgw", { timeout: 15_000 });
  await picture(page, "checker-fallback");
  await lab("restore", "grf1");
  for (const node of NODES)
    await expect(row(node)).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
});

for (const prefix of ["10.255.0.1/32", "10.255.0.0/24"])
  test(`a policy for ${prefix}, which would cut the node off from its controller, is refused at planning`, async ({
    page,
  }) => {
    const headers = { Authorization: `Bearer ${demo().token}` };
    const post = async <T>(path: string, data: object): Promise<T> => {
      const answer = await page.request.post(`/api/v1/${path}`, { data, headers });
      expect(answer.ok(), await answer.text()).toBe(true);
      return (await answer.json()) as T;
    };
    const policy = await post<{ id: number }>("failover-policies", {
      site: "argonne",
      name: `e2e-cut-off-${prefix.endsWith("32") ? "host" : "network"}`,
      nodes: { names: ["sp08"] },
      prefix,
      gateways: ["grf1"],
      detection: "checker",
      note: "Made by a browser test.",
    });
    try {
      const { plan: made } = await post<{
        plan: { blocked: boolean; checks: { check: string; level: string; text: string }[] };
      }>("changes", { site: "argonne", kind: "policies", policies: [policy.id] });
      expect(made.blocked).toBe(true);
      const refused = made.checks.filter((item) => item.check === "controller" && item.level === "failed");
      expect(refused.map((item) => item.text).join("\n")).toMatch(
        /sp08 would lose the controller: .* captures the controller 10\.255\.0\.1/,
      );
    } finally {
      await page.request.delete(`/api/v1/failover-policies/${policy.id}`, { headers });
    }
  });

test("a change rolled back from the bar is verified as restored", async ({ page, browser }) => {
  test.setTimeout(240_000);
  const there = await known(page, "e2e-back");
  const body = {
    site: "argonne",
    name: "e2e-back",
    nodes: { names: [NODE] },
    prefix: "10.200.0.0/16",
    gateways: ["atmgw", "grf1"],
    detection: "checker",
    note: "Made by a browser test.",
  };
  const headers = { Authorization: `Bearer ${demo().token}` };
  const made =
    there ??
    ((await (await page.request.post("/api/v1/failover-policies", { data: body, headers })).json()) as {
      id: number;
    });
  await page.goto(`/policies/${made.id}`);
  await plan(page);
  const address = page.url();
  await approveAndApply(page, browser, "60");
  await page.goto("/links");
  const bar = page.getByTestId("confirm-bar");
  await expect(bar).toBeVisible({ timeout: 60_000 });
  await picture(page, "countdown");
  await bar.getByRole("button", { name: "Roll back" }).click();
  await expect(bar).toHaveCount(0);
  await page.goto(address);
  await expect(change(page)).toHaveAttribute("data-change-state", "rolled_back", { timeout: 60_000 });
  await expect(page.getByTestId("outcome").locator(`[data-node="${NODE}"]`)).toHaveAttribute(
    "data-proven",
    "true",
  );
  await picture(page, "change-rolled-back");
});
