// Columns and saved views of a list: what is chosen is in the URL, and a view brings it back.
import { axeFindings, expect, settled, test } from "../support/fixtures.ts";

test("a saved view brings back filters and columns, by name, and can be deleted", async ({ page }) => {
  const name = `busy ${Date.now()}`;
  await page.goto("/links");
  await settled(page);
  const table = page.getByRole("table", { name: "Links" });
  await expect(table.getByRole("columnheader", { name: "carrier" })).toBeVisible();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "carrier", exact: true }).click();
  await expect(table.getByRole("columnheader", { name: "carrier" })).toBeHidden();
  await expect(page).toHaveURL(/columns=/);
  await page.keyboard.press("Escape");
  await page.getByLabel("Search by name").fill("grf1");
  await expect(page).toHaveURL(/q=grf1/);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByLabel("Save filters, sort and columns as").fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  const views = page.getByRole("list", { name: "Saved views" });
  await expect(views.getByText(name)).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);

  await page.evaluate(() => localStorage.clear());
  await page.goto("/links");
  await settled(page);
  await expect(table.getByRole("columnheader", { name: "carrier" })).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  await views.getByRole("button", { name }).first().click();
  await expect(page).toHaveURL(/q=grf1/);
  await expect(table.getByRole("columnheader", { name: "carrier" })).toBeHidden();

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog", { name: `Delete ${name}?` })).toBeHidden();
  await page.getByRole("button", { name: "Views" }).click();
  await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
});
