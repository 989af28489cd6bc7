// The policy form: live count of the group, ordering of gateways by keyboard, explanation of timers.
import { addGateway, expect, settled, test } from "./support/fixtures.ts";

test("a policy is created: members, gateway order, timers", async ({ page }) => {
  await page.goto("/policies");
  await settled(page);
  await page.getByRole("link", { name: "New policy" }).click();
  await settled(page);
  await page.getByRole("button", { name: "Save policy" }).click();
  await expect(page.getByText("Enter a name, e.g. sp-default.").first()).toBeVisible();
  await page
    .getByLabel("Name", { exact: false })
    .first()
    .fill(`sp-e2e-${Date.now() % 100_000}`);
  await page.getByLabel("Names or patterns").fill("sp0[1-3]");
  await expect(page.getByTestId("group-count")).toHaveText("3 nodes");
  for (const gateway of ["grf1", "atmgw"]) await addGateway(page, gateway);
  const order = page.getByRole("list", { name: "Gateways in order of preference" }).getByRole("listitem");
  await expect(order.first()).toHaveAttribute("data-gateway", "grf1");
  await page.getByRole("button", { name: "Move atmgw up" }).press("Alt+ArrowUp");
  await expect(order.first()).toHaveAttribute("data-gateway", "atmgw");
  await page.getByRole("button", { name: "Move grf1 up" }).press("Enter");
  await expect(order.first()).toHaveAttribute("data-gateway", "grf1");
  await expect(page.getByTestId("timers-summary")).toContainText("Detects a failure in 150 ms");
  await page.getByLabel("Probe interval (ms)").fill("20");
  await expect(page.getByTestId("timers-summary")).toContainText("Detects a failure in 60 ms");
});

test("gateways can be reordered by dragging", async ({ page }) => {
  await page.goto("/policies/new");
  await settled(page);
  for (const gateway of ["grf1", "atmgw"]) await addGateway(page, gateway);
  const order = page.getByRole("list", { name: "Gateways in order of preference" }).getByRole("listitem");
  await order.nth(1).dragTo(order.nth(0));
  await expect(order.first()).toHaveAttribute("data-gateway", "atmgw");
});

test("a policy leads to its plan and its paths", async ({ page }) => {
  await page.goto("/policies?q=sp-default");
  await settled(page);
  await page.getByRole("table", { name: "Policies" }).getByRole("link", { name: "sp-default" }).click();
  await expect(page.locator("main h1")).toHaveText("sp-default");
  await expect(page.getByRole("button", { name: "Create plan" })).toBeVisible();
  await page.locator("main").getByRole("link", { name: "Paths" }).click();
  await expect(page).toHaveURL(/\/paths\?policy=sp-default/);
});
