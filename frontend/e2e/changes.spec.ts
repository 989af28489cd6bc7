// A change through its whole life, over the mock: what is read, accepted, counted down, confirmed and rolled back. The real one is failover.spec.ts.
import { axeFindings, expect, picture, settled, test } from "./fixtures.ts";

test.skip(process.env.BACKSTAY_DEMO_JSON !== undefined, "plays a change of the mock API");

const CHANGE = "/changes/42";
const bar = "confirm-bar";

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("begun") === null) localStorage.removeItem("backstay.mock.changes");
    sessionStorage.setItem("begun", "1");
  });
});

test("a plan is read: in meaning, line by line, and each failure on the map", async ({ page }) => {
  await page.goto(CHANGE);
  await settled(page);
  await expect(page.getByTestId("headline")).toHaveText(
    "Changes 8 nodes in 2 variants; 1 warning to accept.",
  );
  await page.getByText("/etc/bird/bird.conf, diff").click();
  await expect(page).toHaveURL(/diff=0/);
  const diff = page.locator('[data-path="/etc/bird/bird.conf"]');
  await expect(diff.locator('tr[data-kind="added"]')).toHaveCount(2);
  await expect(diff.locator('tr[data-kind="removed"]')).toContainText("−");
  await page.getByRole("button", { name: "sp01:css0-sp-switch" }).click();
  await expect(page).toHaveURL(/failure=link%3A1/);
  await expect(page.getByTestId("what-if-map")).toHaveAttribute("data-cut-off", "1");
  await page.getByTestId("what-if").getByText("now", { exact: true }).click();
  await expect(page.getByTestId("what-if-map")).toHaveAttribute("data-after", "false");
  await page.reload();
  await settled(page);
  await expect(page.getByTestId("what-if")).toHaveAttribute("data-failure", "link:1");
  await expect(diff).toBeVisible();
});

test("approval needs each warning accepted by name; then waves are confirmed one by one", async ({
  page,
}) => {
  await page.goto(CHANGE);
  await settled(page);
  const approve = page.getByRole("button", { name: /^Approve plan 9f3c/ });
  await expect(approve).toBeDisabled();
  await page.getByRole("checkbox", { name: /fallback load/ }).check();
  await approve.click();
  await expect(page.getByTestId("change")).toHaveAttribute("data-change-state", "approved");
  await page.getByRole("button", { name: "Apply to 8 nodes in 3 waves" }).click();
  await expect(page.getByTestId(bar)).toContainText("wave 1 of 3");
  await expect(page.locator('[data-wave="0"]')).toHaveAttribute("data-wave-state", "awaiting confirmation");
  for (const wave of [0, 1, 2]) {
    await page.getByRole("button", { name: "Confirm wave" }).click();
    await expect(page.locator(`[data-wave="${wave}"]`)).toHaveAttribute("data-wave-state", "confirmed");
  }
  await expect(page.getByTestId("headline")).toHaveText("All 8 nodes run and saved the plan.");
  await expect(page.getByTestId(bar)).toHaveCount(0);
});

test("the countdown is on every page, survives a reload, is spoken, and rolls back from anywhere", async ({
  page,
}) => {
  await page.goto(CHANGE);
  await page.getByRole("checkbox", { name: /fallback load/ }).check();
  await page.getByRole("button", { name: /^Approve plan/ }).click();
  await page.getByLabel("Automatic rollback after").selectOption("60");
  await page.getByRole("button", { name: /^Apply to/ }).click();
  await expect(page.getByTestId(bar)).toBeVisible();
  for (const path of ["/", "/map", "/links", "/settings/agents"]) {
    await page.goto(path);
    await settled(page);
    await expect(page.getByTestId(bar).getByRole("timer")).toHaveText(/^00:[0-5]\d$|^01:00$/);
  }
  await expect(page.getByTestId("confirm-spoken")).toContainText("Change #42 awaits confirmation");
  await page.setViewportSize({ width: 390, height: 844 });
  const box = await page.getByTestId(bar).boundingBox();
  const main = await page.locator("main").boundingBox();
  expect(main?.y ?? 0, "the bar stands above the page and covers nothing").toBeGreaterThanOrEqual(
    (box?.y ?? 0) + (box?.height ?? 0) - 1,
  );
  await picture(page, "countdown-phone");
  await page.setViewportSize({ width: 1366, height: 768 });
  expect(await axeFindings(page)).toEqual([]);
  await page.getByTestId(bar).getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByTestId(bar)).toHaveCount(0);
  await page.goto(CHANGE);
  await expect(page.getByTestId("headline")).toContainText("Rolled back, 1 of 1 node verified as restored");
  await expect(page.getByTestId("outcome").locator('[data-node="sp01"]')).toHaveAttribute(
    "data-proven",
    "true",
  );
});

test("a change is confirmed by keyboard alone", async ({ page }) => {
  await page.goto(CHANGE);
  await page.getByRole("checkbox", { name: /fallback load/ }).press("Space");
  await page.getByRole("button", { name: /^Approve plan/ }).press("Enter");
  await page.getByRole("button", { name: /^Apply to/ }).press("Enter");
  await page.getByTestId(bar).getByRole("button", { name: "Confirm" }).press("Enter");
  await expect(page.getByTestId(bar)).toContainText("wave 2 of 3");
});

test("changes are filtered by state and text, kept in the URL", async ({ page }) => {
  await page.goto("/changes?state=rolled_back");
  await settled(page);
  await expect(page.getByRole("table", { name: "Changes" }).locator("tbody tr")).toHaveCount(1);
  await page.getByLabel("State", { exact: true }).selectOption("");
  await page.locator("main").getByLabel("Search").fill("router");
  await expect(page).toHaveURL(/q=router/);
  await expect(page.getByRole("table", { name: "Changes" }).locator("tbody tr")).toHaveCount(1);
});
