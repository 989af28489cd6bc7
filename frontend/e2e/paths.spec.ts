// The failover matrix with standby and saved state, and the side panel of a path.
import { expect, settled, test } from "./support/fixtures.ts";

test("every node shows its standby and saved state; its panel has move, drill and decisions", async ({
  page,
}) => {
  await page.goto("/paths?policy=sp-default");
  await settled(page);
  const table = page.getByRole("table", { name: "Paths of sp-default" });
  for (const header of ["standby", "saved"])
    await expect(table.getByRole("columnheader", { name: header })).toBeVisible();
  await table.getByRole("button", { name: "Decisions, move and drill of sp01" }).click();
  await expect(page).toHaveURL(/sel=\d+/);
  const panel = page.getByTestId("path-panel");
  await expect(panel).toContainText("sp01 to 0.0.0.0/0");
  await expect(panel.getByRole("link", { name: "Run a drill" })).toBeVisible();
  await page.reload();
  await expect(panel).toBeVisible();
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get("sel")).toBeNull();
});

test("a drill started from a path has policy and node filled in", async ({ page }) => {
  await page.goto("/paths?policy=sp-default");
  await settled(page);
  await page.getByRole("button", { name: "Decisions, move and drill of sp02" }).click();
  await page.getByRole("link", { name: "Run a drill" }).click();
  await settled(page);
  await expect(page.getByLabel("Nodes", { exact: true })).toHaveValue("sp02");
  await expect(page.getByLabel("Policy", { exact: true })).not.toHaveValue("");
  await expect(page.getByRole("button", { name: "Start drill" })).toBeEnabled();
});
