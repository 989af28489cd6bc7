// Drift over the mock: what a reboot would change comes first, the sides stand side by side, and a plan is one press away.
import { expect, settled, test } from "./fixtures.ts";

test.skip(process.env.BACKSTAY_DEMO_JSON !== undefined, "looks at the drift of the mock API");

test("changes on reboot come first, with intended, running and saved side by side", async ({ page }) => {
  await page.goto("/drift");
  await settled(page);
  await expect(page.locator("main h2").first()).toHaveText("Changes on reboot");
  const node = page.locator('[data-node="sp02"]');
  await expect(node.locator('[data-side="running"]')).toHaveAttribute("data-differs", "true");
  await expect(node.locator('[data-side="saved"]')).toHaveAttribute("data-differs", "false");
  await expect(page.locator('[data-node="sp03"]').getByRole("button")).toHaveCount(0);
  await page.getByLabel("Search by node").fill("sp06");
  await expect(page.locator('[data-node="sp02"]')).toHaveCount(0);
  await expect(page).toHaveURL(/node=sp06/);
});

test("one press makes a plan in either direction", async ({ page }) => {
  await page.goto("/drift?node=sp06");
  await settled(page);
  await page.getByRole("button", { name: /Plan restore/ }).click();
  await expect(page).toHaveURL(/\/changes\/\d+/);
  await expect(page.getByTestId("change")).toHaveAttribute("data-change-state", "planned");
});
