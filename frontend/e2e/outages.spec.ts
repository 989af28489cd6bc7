// A reachable gateway that does not forward: paths through it are dead without a switch until it is repaired.
import { api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "./support/lab.ts";

interface ApiPath {
  id: number;
  policy_id: number;
  active: string;
  target_alive: boolean | null;
  last_outage: null | {
    id: number;
    end: string | null;
    duration_ms: number;
    text: string;
    cause: string;
    measured_by: string;
    uncertainty_ms: number | null;
  };
}

const LASTS_MS = 20_000;
const NODE = "sp01";
/** The target answers again some probes after the gateway forwards again: neighbours are resolved anew. */
const RECOVERY_MS = 3000;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

test("a blackhole of 20 s is an outage of 20 s, ongoing while it lasts", async ({ page }) => {
  test.setTimeout(180_000);
  const path = async () =>
    (await api<List<ApiPath>>(page, `paths?node=${NODE}&policy=sp-default`)).items[0] as ApiPath;
  const row = page.locator(`table[aria-label="Paths"] tr[data-policy="sp-default"][data-node="${NODE}"]`);
  await page.goto("/paths?policy=sp-default&view=nodes&from=now-15m");
  await settled(page);
  await expect(row).toHaveAttribute("data-active", "grf1", { timeout: 60_000 });
  await expect(async () => expect((await path()).target_alive).toBe(true)).toPass({ timeout: 60_000 });
  const before = (await path()).last_outage?.id;

  const asked = Date.now();
  await lab("blackhole", "grf1");
  const dead = Date.now();
  await expect(row).toContainText(/at least \d+ s, ongoing/, { timeout: 15_000 });
  const ongoing = (await path()).last_outage;
  expect(ongoing).toMatchObject({ end: null, cause: "target_dead" });
  expect(ongoing?.id).not.toBe(before);
  expect(ongoing?.duration_ms).toBeLessThanOrEqual(Date.now() - asked);
  await picture(page, "outage-ongoing");
  await page.waitForTimeout(Math.max(0, dead + LASTS_MS - Date.now()));
  expect((await path()).active).toBe("grf1");

  const restoring = Date.now();
  await lab("restore", "grf1");
  const restored = Date.now();
  await expect(async () => {
    const { last_outage } = await path();
    expect(last_outage).toMatchObject({ id: ongoing?.id, measured_by: "probes" });
    expect(last_outage?.end).not.toBeNull();
  }).toPass({ timeout: 30_000 });
  const measured = (await path()).last_outage;
  const uncertainty = measured?.uncertainty_ms ?? 0;
  expect(measured?.duration_ms).toBeGreaterThanOrEqual(restoring - dead - uncertainty);
  expect(measured?.duration_ms).toBeLessThanOrEqual(restored - asked + uncertainty + RECOVERY_MS);
  await expect(row).toContainText(measured?.text ?? "?", { timeout: 15_000 });

  const strip = page.locator(`li[data-node="${NODE}"]`);
  await expect(strip.locator('[data-state="dead"]').first()).toBeAttached();
  await expect(strip.locator('[data-state="unknown"]').first()).toBeAttached();
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await strip.scrollIntoViewIfNeeded();
    await expect(async () => expect(await overlapping(page)).toEqual([])).toPass({ timeout: 5000 });
    await picture(page, `outage-history-${width}`);
  }
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto(`/policies/${(await path()).policy_id}`);
  await settled(page);
  const table = page.getByRole("table", { name: "Outage time" });
  await expect(table.getByRole("row").nth(1)).toContainText(" s on ");
  await table.scrollIntoViewIfNeeded();
  await picture(page, "outage-policy");
});

/** Texts of overlapping labels on one strip. */
async function overlapping(page: import("@playwright/test").Page): Promise<string[]> {
  return page.locator('ul[aria-label="Gateways in use over time"] > li').evaluateAll((strips) =>
    strips.flatMap((strip) => {
      const boxes = [...strip.querySelectorAll("b")].map((label) => ({
        text: label.textContent ?? "",
        box: label.getBoundingClientRect(),
      }));
      return boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .filter(({ box }) => one.box.right > box.left + 0.5 && box.right > one.box.left + 0.5)
          .map(({ text }) => `${one.text} and ${text}`),
      );
    }),
  );
}
