// The preferred gateway fails twice: traffic uses the fallback, and every page shows it with its outage.
import { api, expect, picture, settled, test, type ApiIncident, type List } from "./support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "./support/lab.ts";

const NODE = "sp01";
const SENTENCE = /sp01: 0\.0\.0\.0\/0 switched from grf1 to atmgw, outage [\d.]+ (ms|s|min)/;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

for (const fault of ["cut", "silence"] as const) {
  test(`${fault} grf1: paths, map, events and incidents show the failover, and restore reverts it`, async ({
    page,
  }) => {
    test.setTimeout(150_000);
    const failedOver = async () =>
      (await api<List<ApiIncident>>(page, "incidents?kind=gateway_failed_over&phase=current&limit=100"))
        .items;
    const row = page.locator(`table[aria-label="Paths"] tr[data-policy="sp-default"][data-node="${NODE}"]`);
    await page.goto("/paths?view=nodes");
    await settled(page);
    await expect(row).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });

    await lab(fault, "grf1");
    await expect(row).toHaveAttribute("data-active", "atmgw", { timeout: 10_000 });
    await expect(page.getByTestId("headline")).toContainText("on a fallback");
    await picture(page, `${fault}-paths`);

    await page.goto(`/events?view=flat&node=${NODE}&kind=path.switched`);
    await expect(page.locator('[data-kind="path.switched"]').first()).toContainText(SENTENCE, {
      timeout: 15_000,
    });
    await picture(page, `${fault}-events`);

    await page.goto("/incidents");
    const kind = fault === "cut" ? "gateway_isolated" : "gateway_unreachable";
    const incident = page.locator(`[data-kind="${kind}"]`);
    await expect(incident).toHaveCount(1, { timeout: 15_000 });
    await expect(incident).toContainText("grf1");
    await page.getByRole("button", { name: /effects?$/ }).click();
    const effect = page.locator('[data-kind="gateway_failed_over"]').filter({ hasText: "sp-default" });
    await expect(effect).toHaveCount(1);
    await picture(page, `${fault}-incidents`);
    await incident.getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("grf1");
    await settled(page);
    await picture(page, `${fault}-incident`);

    await page.goto("/map");
    await settled(page);
    const dead = page.locator('[data-link-id][data-carries="standby_dead"]');
    await expect(dead.first()).toBeAttached({ timeout: 10_000 });
    await picture(page, `${fault}-map`);
    await page.goto("/");
    await expect(page.getByTestId("tile-problems")).toContainText("grf1");
    await picture(page, `${fault}-overview`);

    await lab("restore", "grf1");
    await page.goto("/paths?view=nodes");
    await expect(row).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
    await expect(async () => expect(await failedOver()).toEqual([])).toPass({ timeout: 30_000 });
  });
}
