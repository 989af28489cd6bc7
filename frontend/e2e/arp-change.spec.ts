// ARP of a switch is turned off from the pages, under guard; meanwhile an extension node is checked and a mesh planned.
import type { Page } from "@playwright/test";
import { demo } from "./support/demo.ts";
import { api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab, lab } from "./support/lab.ts";
import { approveAndApply, change } from "./support/people.ts";

const FABRIC = "sp-switch";
/** Nodes with agents; grf1 is on the switch too, but configured manually. */
const NODES = ["sp01", "sp02", "sp03", "sp04", "sp05", "sp06", "sp07", "sp08", "atmgw"];
const headers = { Authorization: `Bearer ${demo().token}` };
/** A router's ARP table is read over SNMP once a minute. */
const READ_BACK_MS = 75_000;
let address = "";

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

interface Fabric {
  fabric: string;
  running: string;
  policy: { id: number } | null;
}

async function fabric(page: Page): Promise<Fabric | undefined> {
  const { items } = await api<List<Fabric>>(page, "arp-policies/fabrics?limit=500");
  return items.find((item) => item.fabric === FABRIC);
}

// Restore the state that other tests expect: ARP on, no manual entries at the router.
test.afterAll(async ({ browser }) => {
  if (!hasLab) return;
  const context = await browser.newContext({ storageState: "./test-results/session.json" });
  try {
    const page = await context.newPage();
    const there = await fabric(page);
    if (there?.policy != null && there.running !== "on") await enableArp(page, there.policy.id);
  } finally {
    await context.close();
    await lab("static-arp", "grf1", "gt000", "--forget");
  }
});

async function enableArp(page: Page, id: number): Promise<void> {
  const second = { Authorization: `Bearer ${demo().second.token}` };
  const send = async (path: string, data: object, as = headers) => {
    const answer = await page.request.post(`/api/v1/${path}`, { data, headers: as });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as { id: number; plan: { digest: string } };
  };
  const kept = await page.request.put(`/api/v1/arp-policies/${id}`, {
    data: { site: "argonne", fabric: FABRIC, mode: "on" },
    headers,
  });
  expect(kept.ok(), await kept.text()).toBe(true);
  const { id: number, plan } = await send("changes", { site: "argonne", kind: "arp", arp_policies: [id] });
  await send(`changes/${number}/approve`, { digest: plan.digest, accept_warnings: true }, second);
  await send(`changes/${number}/apply`, { digest: plan.digest, timeout_s: 60, auto_confirm: true });
  await expect
    .poll(async () => (await api<{ state: string }>(page, `changes/${number}`)).state, { timeout: 60_000 })
    .toBe("done");
}

test("a policy that turns ARP off is blocked while a router without an agent lacks static entries", async ({
  page,
}) => {
  await lab("static-arp", "grf1", "gt000", "--forget");
  await page.goto(`/arp/${FABRIC}`);
  await settled(page);
  await page.getByRole("button", { name: /^(New|Edit) policy$/ }).click();
  await page.locator("label").filter({ hasText: /^off$/ }).click();
  await page.getByLabel("Note").fill("As the SDR has it.");
  await picture(page, "arp-form");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("off for all nodes, with static entries")).toBeVisible();
  await picture(page, "arp-fabric");
  await page.getByRole("button", { name: "Create plan" }).click();
  await expect(page).toHaveURL(/\/changes\/\d+/, { timeout: 30_000 });
  await settled(page);
  address = page.url();
  await expect(page.locator("main")).toContainText("1 check blocks this plan: handed over.");
  await expect(page.getByTestId("actions")).not.toContainText("Approve plan");
  await expect(page.getByRole("list", { name: "ARP changes" })).toContainText(
    `Identical on ${NODES.length} nodes`,
  );
  await expect(page.getByRole("table", { name: "Entries of grf1" })).toContainText(
    /missing|learned, not permanent/,
  );
  await picture(page, "arp-blocked");
  await lab("static-arp", "grf1", "gt000");
});

test("the wizard rejects a used number and names both owners, and accepts a free one", async ({ page }) => {
  await page.goto("/extension-nodes/attach");
  await settled(page);
  await page.getByLabel("Gateway", { exact: true }).fill("grf2");
  await page.getByLabel("Switch node number").fill("4");
  const checks = page.getByRole("list", { name: "Checks" });
  await expect(checks.locator('[data-check="switch_node_number"][data-level="failed"]')).toContainText(
    "grf2 and sp05 would both have switch node number 4.",
  );
  await expect(page.locator("main")).toContainText(`grf2 cannot be attached to ${FABRIC} with these values.`);
  await expect(page.getByRole("region", { name: "Keys of the site file" })).toHaveCount(0);
  await picture(page, "extension-refused");
  await page.getByLabel("Switch node number").fill("");
  await page
    .getByRole("group", { name: "Switch ports of frame 1" })
    .getByRole("button", { name: /^9/ })
    .click();
  await expect(page.locator("main")).toContainText(
    `grf2 can be attached to ${FABRIC} at frame 1 slot 9, as node 9.`,
  );
  await expect(checks.locator('[data-level="failed"]')).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Keys of the site file" })).toContainText("grf2");
  await picture(page, "extension-attachable");
});

test("the planner calculates the mesh of 98 nodes and 12 ATM hosts and assigns labels", async ({ page }) => {
  await page.goto("/circuits/plan");
  await settled(page);
  await page.getByLabel("Hosts, one group per line").fill("nodes 98\natm 12");
  await page.getByRole("button", { name: "Calculate" }).click();
  await expect(page.locator("main")).toContainText(/110 hosts form 5\D?995 pairs/);
  await expect(
    page
      .getByRole("table", { name: "Connectivity options" })
      .getByRole("row", { name: /^Full mesh of PVCs/ }),
  ).toContainText(/5\D?995/);
  await expect(page.getByRole("table", { name: "Planned circuits" }).getByRole("row").nth(1)).toContainText(
    /\d+\/\d+ → /,
  );
  await picture(page, "circuits-planned");
});

test("after the router's entries are read the change is approved, applied to all nodes and confirmed from another page", async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  await page.goto(address);
  await settled(page);
  await expect(async () => {
    await page.getByRole("button", { name: "Replan" }).click();
    await expect(page.locator("main")).toContainText(/Changes 9 nodes in 1 variant/, { timeout: 4000 });
  }).toPass({ timeout: READ_BACK_MS, intervals: [1000] });
  await approveAndApply(page, browser, "120", "arp-to-approve");
  await expect(change(page)).toHaveAttribute("data-change-state", "confirming", { timeout: 90_000 });
  await picture(page, "arp-confirming");

  await page.goto("/neighbours?sort=node");
  await settled(page);
  const rows = page.getByRole("table", { name: "Neighbour tables" });
  for (const node of NODES)
    await expect(
      rows
        .getByRole("row", { name: new RegExp(`^${node}:css0 `) })
        .getByRole("cell")
        .nth(6),
    ).toHaveText("9", { timeout: 30_000 });
  await picture(page, "arp-neighbours");
  await page.getByTestId("confirm-bar").getByRole("button", { name: "Confirm" }).click();

  await page.goto(address);
  await expect(change(page)).toHaveAttribute("data-change-state", "done", { timeout: 60_000 });
  for (const node of NODES)
    await expect(page.getByTestId("outcome").locator(`[data-node="${node}"]`)).toContainText(
      "saved it for the next boot",
    );
  await expect(page.getByRole("list", { name: "History" })).toContainText("Confirmed wave 1.");
  await picture(page, "arp-done");
  await page.goto(`/arp/${FABRIC}`);
  await expect(page.locator("main")).toContainText("deployed on 9 nodes", { timeout: 20_000 });
  await picture(page, "arp-off");
});
