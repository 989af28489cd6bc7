// Undo of a confirmed change and retirement of a policy restore the nodes of four engines byte for byte.
import type { Browser, Page } from "@playwright/test";
import { demo } from "./support/demo.ts";
import { expect, picture, settled, test } from "./support/fixtures.ts";
import { hasLab, lab } from "./support/lab.ts";
import { approveAndApply, change } from "./support/people.ts";

/** One of each: BIRD, FRR, gated's stand-in, the bare kernel. */
const NODES = ["sp04", "sp06", "sp07", "sp08"];
const PREFIX = "10.206.0.0/16";
const POLICY = {
  site: "argonne",
  name: "e2e-undo",
  nodes: { names: NODES },
  prefix: PREFIX,
  gateways: ["grf1", "atmgw"],
  detection: "checker",
  note: "Made by a browser test.",
};
const ROLLOUT_MS = 150_000;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

interface Made {
  id: number;
  plan: { blocked: boolean; shapes: { nodes: string[]; files: { path: string }[] }[] };
}

async function send<T>(page: Page, method: "post" | "put", path: string, data: object): Promise<T> {
  const headers = { Authorization: `Bearer ${demo().token}` };
  const answer = await page.request[method](`/api/v1/${path}`, { data, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as T;
}

const propose = (page: Page, policy: number): Promise<Made> =>
  send(page, "post", "changes", { site: "argonne", kind: "policies", policies: [policy] });

/** Approves, applies and waits until every wave has confirmed itself. */
async function carryOut(page: Page, browser: Browser, id: number): Promise<void> {
  await page.goto(`/changes/${id}`);
  await settled(page);
  await approveAndApply(page, browser, "60", undefined, true);
  await expect(change(page)).toHaveAttribute("data-change-state", "done", { timeout: ROLLOUT_MS });
}

/** Kernel routes of each node for the prefix, and its boot file. */
async function states(files: Map<string, string>): Promise<Record<string, string>> {
  const entries = await Promise.all(
    NODES.map(async (node) => {
      const routes = await lab("exec", node, "--", "ip", "-details", "route", "show", PREFIX);
      return [node, `${routes}\n${await lab("exec", node, "--", "cat", files.get(node) ?? "")}`] as const;
    }),
  );
  return Object.fromEntries(entries);
}

test("undo and retirement restore kernel routes and boot files byte for byte", async ({ page, browser }) => {
  test.setTimeout(4 * ROLLOUT_MS + 120_000);
  const { id } = await send<{ id: number }>(page, "post", "failover-policies", POLICY);
  const first = await propose(page, id);
  const files = new Map(
    first.plan.shapes.flatMap(({ nodes, files: [file] }) =>
      nodes.map((node) => [node, file?.path ?? ""] as const),
    ),
  );
  expect([...files.keys()].toSorted()).toEqual(NODES);
  const untouched = await states(files);
  await carryOut(page, browser, first.id);
  const deployed = await states(files);
  for (const node of NODES) {
    expect(deployed[node], node).not.toBe(untouched[node]);
    expect(deployed[node], node).toContain(`BEGIN backstay e2e-undo ${PREFIX}`);
  }

  await send(page, "put", `failover-policies/${id}`, { ...POLICY, gateways: ["atmgw", "grf1"] });
  const second = await propose(page, id);
  await carryOut(page, browser, second.id);
  expect(await states(files)).not.toEqual(deployed);

  await page.goto(`/changes/${first.id}`);
  await settled(page);
  await expect(page.getByRole("list", { name: "Unavailable actions" })).toContainText(
    `Change #${second.id} changed sp04, sp06, sp07 and sp08 later: undo change #${second.id} first.`,
  );
  await page.goto(`/changes/${second.id}`);
  await settled(page);
  await page.getByLabel("Reason for undo").fill("The order was right before.");
  await picture(page, "change-undo");
  await page.getByRole("button", { name: "Undo this change" }).click();
  await expect(page.locator("main h1")).toContainText(`Undo change #${second.id}`);
  const inverse = Number(new URL(page.url()).pathname.split("/").at(-1));
  await picture(page, "change-undo-planned");
  await carryOut(page, browser, inverse);
  await expect.poll(() => states(files), { timeout: 60_000 }).toEqual(deployed);

  await page.goto(`/policies/${id}`);
  await settled(page);
  await page.getByRole("button", { name: "Retire policy" }).click();
  const dialog = page.getByRole("dialog", { name: "Retire policy e2e-undo?" });
  await expect(dialog).toContainText("No node changes until that plan is approved and applied");
  await picture(page, "policy-retire");
  await dialog.getByRole("button", { name: "Plan the removal" }).click();
  await expect(page.locator("main h1")).toContainText("Remove e2e-undo");
  const removal = Number(new URL(page.url()).pathname.split("/").at(-1));
  await page.goto(`/policies/${id}`);
  await expect(page.getByRole("link", { name: `Change #${removal}` })).toBeVisible();
  await carryOut(page, browser, removal);
  await expect(page.getByRole("list", { name: "History" })).toContainText("e2e-undo was deleted.");
  await expect.poll(() => states(files), { timeout: 60_000 }).toEqual(untouched);
  const gone = await page.request.get(`/api/v1/failover-policies/${id}`);
  expect(gone.status()).toBe(404);
});

test("a policy that no node has is deleted at once", async ({ page }) => {
  const body = { ...POLICY, name: "e2e-never", nodes: { names: ["sp08"] }, prefix: "10.205.0.0/16" };
  const { id } = await send<{ id: number }>(page, "post", "failover-policies", body);
  await page.goto(`/policies/${id}`);
  await settled(page);
  await page.getByRole("button", { name: "Delete policy" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete policy e2e-never?" });
  await dialog.getByRole("button", { name: "Delete policy" }).click();
  await expect(page).toHaveURL(/\/policies(\?|$)/);
  const status = async () => (await page.request.get(`/api/v1/failover-policies/${id}`)).status();
  await expect.poll(status, { timeout: 30_000 }).toBe(404);
});
