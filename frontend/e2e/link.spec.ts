// The link page: chart with data, capacity line and table; a brush zooms and Escape restores.
import { api, expect, settled, test, type ApiLink, type List } from "./support/fixtures.ts";

test.beforeEach(async ({ page }) => {
  const { items } = await api<List<ApiLink>>(page, "links?limit=500");
  const link = items.find(({ name }) => name.startsWith("grf1:ga030")) ?? items[0];
  await page.goto(`/links/${link?.id}?from=now-15m`);
  await settled(page);
});

test("the chart has data, and its capacity is the link's usable rate", async ({ page }) => {
  const chart = page.getByRole("img", { name: /Rates over time/ });
  await expect(chart).toHaveAttribute("data-capacity", /^[1-9]\d+$/);
  await expect(async () => expect(Number(await chart.getAttribute("data-points"))).toBeGreaterThan(3)).toPass(
    { timeout: 15_000 },
  );
  await expect(chart.locator("canvas")).toBeVisible();
  await expect(page.getByText(/capacity/).first()).toBeVisible();
});

test("the table view has the same values as the chart", async ({ page }) => {
  await page.getByText("table", { exact: true }).click();
  await expect(page).toHaveURL(/show=table/);
  await expect(
    page.getByRole("table", { name: "Rates over time" }).getByRole("cell", { name: /b\/s/ }).first(),
  ).toBeVisible();
});

test("a brush narrows the range in the URL and Escape restores it exactly", async ({ page }) => {
  const before = page.url();
  const over = page.locator(".u-over");
  const box = await over.boundingBox();
  if (box === null) throw new Error("the chart has no plotting area");
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=20\d\d-/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(before);
});
