// A gateway is cut and restored; the moment of the cut still shows it on the map and in the lists.
import { api, expect, picture, settled, test, type List } from "../support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "../support/lab.ts";

interface Link {
  name: string;
  carrier: string;
}

const CUT = "grf1:";

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

test("the moment of a cut shows it after the repair", async ({ page }) => {
  test.setTimeout(360_000);
  const isDown = async (path: string): Promise<boolean> =>
    (await api<{ links: Link[] }>(page, path)).links.some(
      // A cut takes ports down administratively; events of the past do not say so.
      ({ name, carrier }) => name.includes(CUT) && ["down", "admin_down"].includes(carrier),
    );
  const open = async (): Promise<number> =>
    (await api<List<unknown>>(page, "incidents?phase=current&node=grf1")).items.length;
  await page.goto("/map");
  await settled(page);
  await lab("cut", "grf1");
  await expect(async () => expect(await isDown("topology")).toBe(true)).toPass({ timeout: 60_000 });
  await expect(async () => expect(await open()).toBeGreaterThan(0)).toPass({ timeout: 60_000 });
  const { at } = await api<{ at: string }>(page, "topology");
  await restoreGrf1(page);
  await expect(async () => expect(await isDown("topology")).toBe(false)).toPass({ timeout: 60_000 });
  // The range counts as past when its end is a minute old.
  await expect(async () => expect(Date.now() - Date.parse(at)).toBeGreaterThan(65_000)).toPass({
    timeout: 120_000,
  });

  const range = `from=${encodeURIComponent(new Date(Date.parse(at) - 600_000).toISOString())}&to=${encodeURIComponent(at)}`;
  expect(await isDown(`topology/past?at=${encodeURIComponent(at)}`)).toBe(true);
  await page.goto(`/map?${range}`);
  await settled(page);
  await expect(page.getByTestId("past-banner")).toContainText("State at");
  await expect(page.locator("main header")).toContainText("down");
  await picture(page, "past-map");
  await page.goto(`/incidents?${range}`);
  await settled(page);
  await expect(page.getByRole("list", { name: "Incidents", exact: true })).toContainText("grf1");
  await picture(page, "past-incidents");
  await page.goto(`/paths?${range}`);
  await settled(page);
  await expect(page.getByTestId("past-banner")).toContainText("State at");
  await picture(page, "past-paths");
  await page.goto(`/links?${range}`);
  await settled(page);
  await expect(page.locator("main header")).toContainText("down");
  await picture(page, "past-links");
  await page.goto(`/policies?${range}`);
  await settled(page);
  await expect(page.getByTestId("past-banner")).toContainText("This page shows the present");
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect(page.getByTestId("past-banner")).toHaveCount(0);
});
