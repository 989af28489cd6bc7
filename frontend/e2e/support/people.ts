// Two users: the author of a change, and the approver in a second browser session.
import type { Browser, Page } from "@playwright/test";
import { demo } from "./demo.ts";
import { api, expect, picture, settled, type List } from "./fixtures.ts";

export const change = (page: Page) => page.getByTestId("change");

/** Signs in as the second user, accepts every warning and approves the plan. */
async function approveAsSecond(browser: Browser, address: string, name?: string): Promise<void> {
  const { user, password } = demo().second;
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  try {
    await page.goto(`/sign-in?next=${encodeURIComponent(new URL(address).pathname)}`);
    await page.getByLabel("User name").fill(user);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await settled(page);
    await expect(change(page)).toHaveAttribute("data-change-state", "planned");
    for (const warning of await page.getByRole("checkbox").all()) await warning.check();
    if (name !== undefined) await picture(page, name);
    await page.getByRole("button", { name: /^Approve plan/ }).click();
    await expect(change(page)).toHaveAttribute("data-change-state", "approved");
  } finally {
    await context.close();
  }
}

/** Approves and applies the plan on screen; `seconds` is an option of the rollback timeout, `auto` confirms each wave. */
export async function approveAndApply(
  page: Page,
  browser: Browser,
  seconds: string,
  name?: string,
  auto = false,
): Promise<void> {
  await expect(change(page)).toHaveAttribute("data-change-state", "planned");
  await expect(page.getByRole("button", { name: /^Approve plan/ })).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Unavailable actions" })).toContainText(
    /second person|another approver/,
  );
  await approveAsSecond(browser, page.url(), name);
  await expect(change(page)).toHaveAttribute("data-change-state", "approved");
  await page.getByLabel("Automatic rollback after").selectOption(seconds);
  if (auto) await page.getByRole("checkbox", { name: /^Confirm each wave automatically/ }).check();
  await page.getByRole("button", { name: /^Apply to/ }).click();
  // The browser drops a request that is still under way when a test opens the next page.
  await expect(change(page)).not.toHaveAttribute("data-change-state", "approved");
}

/** Opens the plan of a new change that deploys a policy of one node; creates the policy when it does not exist. */
export async function proposeChange(
  page: Page,
  policy: string,
  node: string,
  prefix: string,
  gateways = ["atmgw", "grf1"],
): Promise<void> {
  const headers = { Authorization: `Bearer ${demo().token}` };
  const post = async (path: string, data: object): Promise<{ id: number }> => {
    const response = await page.request.post(`/api/v1/${path}`, { data, headers });
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()) as { id: number };
  };
  const { items } = await api<List<{ id: number; name: string }>>(page, "failover-policies?limit=500");
  const known = items.find(({ name }) => name === policy);
  const { id } =
    known ??
    (await post("failover-policies", {
      site: "argonne",
      name: policy,
      nodes: { names: [node] },
      prefix,
      gateways,
      detection: "checker",
      note: "Created by a browser test.",
    }));
  const created = await post("changes", { site: "argonne", kind: "policies", policies: [id] });
  await page.goto(`/changes/${created.id}`);
  await settled(page);
}
