// The path between two nodes: hops, single failures, the map, and unknown names.
import { api, expect, settled, test } from "../support/fixtures.ts";

interface Answer {
  routes: { failed: string | null; outcome: string; hops: { link: number; end: { name: string } }[] }[];
}

const ENDS = "source=sp01&destination=origin1";

test("the hops are those of the API, and a failure shows its own", async ({ page }) => {
  const { routes } = await api<Answer>(page, `routes/between?${ENDS}&each_failure=true`);
  const [intact, ...failures] = routes;
  await page.goto("/paths/between");
  await settled(page);
  await page.getByLabel("From").fill("sp01");
  await page.getByLabel("To", { exact: true }).fill("origin1");
  await page.getByRole("button", { name: "Find the path" }).click();
  await expect(page).toHaveURL(/source=sp01&destination=origin1/);
  const hops = page.getByRole("list", { name: "Hops" });
  await expect(hops.locator("[data-link]")).toHaveCount(intact?.hops.length ?? -1);
  await expect(page.getByTestId("headline")).toContainText("sp01 to origin1: ");
  const table = page.getByRole("table", { name: "Single failures on the path" });
  await expect(table.getByRole("row")).toHaveCount(failures.length + 1);
  await table.getByRole("button", { name: "Show the path if grf1 fails", exact: true }).click();
  await expect(page).toHaveURL(/without=node%3Agrf1/);
  await expect(page.getByRole("heading", { name: "If grf1 fails" })).toBeVisible();
  await expect(hops.locator('[data-vertex="grf1"]')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "If grf1 fails" })).toBeVisible();
  await page.getByRole("link", { name: "Show on the map" }).click();
  await expect(page).toHaveURL(/path=sp01%2Corigin1/);
  await expect(page.getByRole("group", { name: "Path on the map" })).toContainText(
    "Path sp01 to origin1 if grf1 fails",
  );
  await page.getByRole("button", { name: "Clear the path" }).click();
  await expect(page).not.toHaveURL(/path=/);
});

test("an unknown name is an error with the names that are meant", async ({ page, complaints }) => {
  await page.goto("/paths/between?source=sp99&destination=origin1");
  await settled(page);
  await expect(page.getByRole("alert")).toContainText("There is no node 'sp99'");
  await page.getByRole("alert").getByRole("button", { name: "sp01", exact: true }).click();
  await expect(page).toHaveURL(/source=sp01/);
  await expect(page.getByRole("list", { name: "Hops" })).toBeVisible();
  // The browser reports the answer to the unknown name.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("404");
});
