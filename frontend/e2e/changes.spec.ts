// Reading a plan, approval, the countdown on every page and confirmation by keyboard, with real changes of one node.
import { axeFindings, expect, picture, settled, test } from "./support/fixtures.ts";
import { hasLab } from "./support/lab.ts";
import { approveAndApply, change, proposeChange } from "./support/people.ts";

const NODE = "sp05";
const PAGES = ["/", "/map", "/links", "/settings/agents"];

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");
test.describe.configure({ mode: "serial" });

test("a plan shows the diff of every file and the effect of each failure on the map", async ({ page }) => {
  await proposeChange(page, "e2e-plan", NODE, "10.201.0.0/16");
  await expect(page.getByTestId("headline")).toContainText(/^Changes 1 node/);
  await page.locator("summary").filter({ hasText: ", diff" }).first().click();
  await expect(page).toHaveURL(/diff=0/);
  const added = page.locator('tr[data-kind="added"]').first();
  await expect(added).toContainText("+");
  const row = page.locator("tr[data-failure]").nth(1);
  const failure = (await row.getAttribute("data-failure")) ?? "";
  await row.getByRole("button").click();
  await expect(page).toHaveURL(/failure=/);
  await expect(page.getByTestId("what-if")).toHaveAttribute("data-failure", failure);
  await page.getByTestId("what-if").getByText("now", { exact: true }).click();
  await expect(page.getByTestId("what-if-map")).toHaveAttribute("data-after", "false");
  await page.reload();
  await settled(page);
  await expect(page.getByTestId("what-if")).toHaveAttribute("data-failure", failure);
  await expect(added).toBeVisible();
});

test("the countdown is on every page, survives a reload and rolls back from any page", async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  await proposeChange(page, "e2e-countdown", NODE, "10.202.0.0/16");
  const address = page.url();
  await approveAndApply(page, browser, "60");
  const bar = page.getByTestId("confirm-bar");
  await expect(bar).toBeVisible({ timeout: 60_000 });
  for (const path of PAGES) {
    await page.goto(path);
    await settled(page);
    await expect(bar.getByRole("timer")).toHaveText(/^00:[0-5]\d$|^01:00$/);
  }
  await expect(page.getByTestId("confirm-spoken")).toContainText("awaits confirmation");
  await page.setViewportSize({ width: 390, height: 844 });
  const [box, main] = [await bar.boundingBox(), await page.locator("main").boundingBox()];
  expect(main?.y ?? 0, "the bar covers nothing").toBeGreaterThanOrEqual(
    (box?.y ?? 0) + (box?.height ?? 0) - 1,
  );
  await picture(page, "countdown-phone");
  await page.setViewportSize({ width: 1366, height: 768 });
  expect(await axeFindings(page)).toEqual([]);
  await bar.getByRole("button", { name: "Roll back" }).click();
  await expect(bar).toHaveCount(0);
  await page.goto(address);
  await expect(change(page)).toHaveAttribute("data-change-state", "rolled_back", { timeout: 60_000 });
});

test("a change is confirmed by keyboard and found by state and text", async ({ page, browser }) => {
  test.setTimeout(240_000);
  // Stays deployed: without grf1, because a later test gives grf1 another address.
  await proposeChange(page, "e2e-keyboard", NODE, "10.203.0.0/16", ["atmgw"]);
  await approveAndApply(page, browser, "60");
  const confirm = page.getByTestId("confirm-bar").getByRole("button", { name: "Confirm" });
  await expect(confirm).toBeEnabled({ timeout: 60_000 });
  await confirm.press("Enter");
  await expect(change(page)).toHaveAttribute("data-change-state", "done", { timeout: 60_000 });
  await page.goto("/changes?state=done");
  await settled(page);
  await page.getByLabel("Search").fill("e2e-keyboard");
  await expect(page).toHaveURL(/q=e2e-keyboard/);
  await expect(page.getByRole("table", { name: "Changes" }).locator("tbody tr").first()).toBeVisible();
});
