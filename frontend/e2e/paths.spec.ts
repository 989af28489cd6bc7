// The table of paths in groups and node by node, and the side panel of a path.
import { api, expect, settled, test, type List } from "./support/fixtures.ts";

test("every node shows its standby and saved state; its panel has move, drill and decisions", async ({
  page,
}) => {
  await page.goto("/paths?policy=sp-default&view=nodes");
  await settled(page);
  const table = page.getByRole("table", { name: "Paths", exact: true });
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
  await page.goto("/paths?policy=sp-default&view=nodes");
  await settled(page);
  await page.getByRole("button", { name: "Decisions, move and drill of sp02" }).click();
  await page.getByRole("link", { name: "Run a drill" }).click();
  await settled(page);
  await expect(page.getByLabel("Nodes", { exact: true })).toHaveValue("sp02");
  await expect(page.getByLabel("Policy", { exact: true })).not.toHaveValue("");
  await expect(page.getByRole("button", { name: "Start drill" })).toBeEnabled();
});

interface Group {
  key: string;
  paths: number;
}

test("groups add up to the paths of the API, and one opens into its nodes", async ({ page }) => {
  const { items } = await api<List<Group>>(page, "paths/groups?limit=500");
  const paths = await api<List<unknown>>(page, "paths?limit=500");
  expect(items.reduce((sum, group) => sum + group.paths, 0)).toBe(paths.items.length);
  const large = items.toSorted((a, b) => b.paths - a.paths)[0] as Group;
  await page.goto("/paths");
  await settled(page);
  await page.locator(`tr[data-group="${large.key}"]`).getByRole("button").click();
  await expect(page.locator('tr[data-member="true"]')).toHaveCount(large.paths);
  await expect(page).toHaveURL(/open=/);
  await page.reload();
  await expect(page.locator('tr[data-member="true"]')).toHaveCount(large.paths);
});

test("the paths of a site are at most about two screens on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/paths");
  await settled(page);
  const height = await page.evaluate(() =>
    Math.max(document.documentElement.scrollHeight, document.querySelector("main")?.scrollHeight ?? 0),
  );
  // Drafts of earlier tests add a row each, and five failovers with long names are half a screen.
  expect(height).toBeLessThan(2.5 * 844);
});
