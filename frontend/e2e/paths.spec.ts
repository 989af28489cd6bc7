// The matrix says who carries whom, what stands ready and what a reboot would change; a path's evidence is at the side.
import { expect, settled, test } from "./fixtures.ts";

test("each node says its standby and what it has saved; its panel has move, drill and evidence", async ({
  page,
}) => {
  await page.goto("/paths?policy=sp-default");
  await settled(page);
  const table = page.getByRole("table", { name: "Paths of sp-default" });
  for (const header of ["standby alive", "saved"])
    await expect(table.getByRole("columnheader", { name: header })).toBeVisible();
  await table.getByRole("button", { name: "Evidence, move and drill of sp01" }).click();
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

test("a drill begins from a path with policy and node filled in", async ({ page }) => {
  await page.goto("/paths?policy=sp-default");
  await settled(page);
  await page.getByRole("button", { name: "Evidence, move and drill of sp02" }).click();
  await page.getByRole("link", { name: "Run a drill" }).click();
  await settled(page);
  await expect(page.getByLabel("Only these nodes")).toHaveValue("sp02");
  await expect(page.getByLabel("Policy", { exact: true })).not.toHaveValue("");
  await expect(page.getByRole("button", { name: "Start the drill" })).toBeEnabled();
});
