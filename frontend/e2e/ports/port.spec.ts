// The page of a port: charts in one crosshair and brush, the way from the device, and how soon it is drawn.
import { api, axeFindings, expect, picture, settled, test, type List } from "../support/fixtures.ts";

interface Port {
  id: number;
  name: string;
}

const CHARTS = "main [data-points]";
/** Of 7 days and of a year, milliseconds after the page was opened. */
const LIMITS = { "now-7d": 1000, "now-365d": 1500 } as const;
/** The tour and a lab of its own run at the same time, on two processors: the figures are in the report. */
const BUSY = 5;

test("a port is opened from its device and shows eight charts with one brush", async ({ page }) => {
  await page.goto("/devices");
  await settled(page);
  await page.getByRole("link", { name: "grf1", exact: true }).click();
  await page
    .getByRole("table", { name: /^Ports of/ })
    .getByRole("link", { name: "ga030" })
    .click();
  await expect(page.locator("main h1")).toHaveText("grf1:ga030");
  await expect(page.getByTestId("headline")).toContainText(/^Receives .*, sends .* usable; /);
  await expect(page.locator(CHARTS)).toHaveCount(7);
  await expect(page.getByRole("table", { name: "Share of the time by utilisation" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Link" })).toContainText("origin1:at0");
  await settled(page);
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, "port-page");

  const chart = page.locator(`${CHARTS} .u-over`).nth(2);
  // While the tour causes faults, a notice may appear above and move the chart: a person would drag again.
  await expect(async () => {
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart has no area");
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
    // The crosshair of every other chart follows.
    await expect(page.locator(`${CHARTS} .u-cursor-x:not(.u-off)`)).toHaveCount(7, { timeout: 5000 });
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await expect(page).toHaveURL(/from=20/, { timeout: 5000 });
  }).toPass({ timeout: 25_000 });
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/from=/);
});

test("a device shows its role, ports with trends on one scale, charts, and metrics in groups", async ({
  page,
}) => {
  const { items } = await api<List<{ id: number; name: string }>>(page, "nodes?q=grf1");
  await page.goto(`/devices/${items.find(({ name }) => name === "grf1")?.id}`);
  await settled(page);
  const role = page.getByRole("region", { name: "Role in paths" });
  await expect(role.getByRole("row", { name: /sp-default .*of \d+ nodes/ })).toBeVisible();
  const ports = page.getByRole("table", { name: "Ports of grf1" });
  await expect(ports.getByRole("columnheader", { name: /^trend ≤ .*b\/s/ })).toBeVisible();
  await expect(ports.getByRole("img", { name: /^Trend of ga030, highest mean/ })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Traffic of all ports over time/ })).toBeVisible();
  const metrics = page.getByRole("region", { name: "Device metrics" });
  await expect(metrics.getByRole("table")).toHaveCount(0);
  await metrics.getByText("GigaRouter", { exact: true }).click();
  await expect(metrics.getByRole("table", { name: "Metrics of grf1: GigaRouter" })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
});

test("a port is compared with another one, which the address names", async ({ page }) => {
  const { items } = await api<List<Port>>(page, "ports?node=grf1&q=ga03");
  await page.goto(`/ports/${items[0]?.id}?show=table`);
  await settled(page);
  await page.getByRole("combobox", { name: "Compare with another port" }).fill("grf1:ga031");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`with=${items[1]?.id}`));
  const values = page.getByRole("table", { name: "Rates over time" });
  await expect(values.getByRole("columnheader", { name: "in grf1:ga031" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Compare with", exact: true })).toHaveCount(0);
});

test("the charts of 7 days and of a year are drawn in time", async ({ page }) => {
  const { items } = await api<List<Port>>(page, "ports?node=grf1&q=ga030");
  // The files of the page are loaded once before.
  await page.goto(`/ports/${items[0]?.id}`);
  await settled(page);
  for (const [from, limit] of Object.entries(LIMITS)) {
    const began = Date.now();
    await page.goto(`/ports/${items[0]?.id}?from=${from}`);
    // A demo has no history of a year: a chart without values says so.
    const drawn = page.locator(`${CHARTS} canvas`).or(page.getByText("Not reported in this range."));
    await expect(drawn).toHaveCount(7);
    const took = Date.now() - began;
    test.info().annotations.push({ type: from, description: `${took} ms` });
    expect.soft(took, from).toBeLessThan(limit * BUSY);
  }
});
