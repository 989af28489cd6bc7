// Drift on a real node: a boot file edited by hand is reported, compared side by side, and restored by a plan.
import { readFile, writeFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab } from "./support/lab.ts";
import { approveAndApply, change, proposeChange } from "./support/people.ts";

const NODE = "sp05";
const POLICY = "e2e-keyboard";
const PREFIX = "10.203.0.0/16";
const BOOT_FILE = `${process.env.BACKSTAY_LAB_STATE}/run/${NODE}/frr.conf`;
let original = "";

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

interface Policy {
  name: string;
  progress: { confirmed: number };
}

/** Makes sure that the node runs and has saved the policy, then deletes its routes from the boot file. */
async function editBootFile(page: Page, browser: Browser): Promise<void> {
  const { items } = await api<List<Policy>>(page, "failover-policies?limit=500");
  if ((items.find(({ name }) => name === POLICY)?.progress.confirmed ?? 0) === 0) {
    await proposeChange(page, POLICY, NODE, PREFIX, ["atmgw"]);
    await approveAndApply(page, browser, "60");
    const confirm = page.getByTestId("confirm-bar").getByRole("button", { name: "Confirm" });
    await expect(confirm).toBeEnabled({ timeout: 60_000 });
    await confirm.press("Enter");
    await expect(change(page)).toHaveAttribute("data-change-state", "done", { timeout: 60_000 });
  }
  original = await readFile(BOOT_FILE, "utf8");
  const edited = original
    .split("\n")
    .filter((line) => !line.startsWith(`ip route ${PREFIX}`))
    .join("\n");
  expect(edited).not.toBe(original);
  await writeFile(BOOT_FILE, edited);
}

test.afterAll(async () => {
  if (original !== "") await writeFile(BOOT_FILE, original);
});

test("an edited boot file is listed under changes on reboot, with intended, running and saved side by side", async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  await page.goto("/");
  await editBootFile(page, browser);
  await page.goto("/drift");
  await settled(page);
  const node = page.locator(`[data-node="${NODE}"]`);
  await expect(node.locator('[data-side="saved"][data-differs="true"]').first()).toBeVisible({
    timeout: 90_000,
  });
  await expect(page.locator("main h2").first()).toHaveText("Changes on reboot");
  await picture(page, "drift-edited");
  await page.getByLabel("Search by node").fill("no-such-node");
  await expect(node).toHaveCount(0);
  await expect(page).toHaveURL(/node=no-such-node/);
});

test("a plan restores the intended state", async ({ page }) => {
  await page.goto(`/drift?node=${NODE}`);
  await settled(page);
  await page
    .getByRole("button", { name: /Plan restore/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/changes\/\d+/, { timeout: 30_000 });
  await expect(change(page)).toHaveAttribute("data-change-state", "planned", { timeout: 30_000 });
});
