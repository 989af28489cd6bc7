// The overview: five tiles, each with a link to its list.
import { expect, picture, settled, test } from "./support/fixtures.ts";

const TILES = [
  "problems",
  "nearly_full",
  "recent_changes",
  "awaiting_confirmation",
  "not_reporting",
  "fallbacks",
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`all six tiles are visible without scrolling at 1366x768 (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await settled(page);
    for (const kind of TILES) {
      const box = await page.getByTestId(`tile-${kind}`).boundingBox();
      expect(box, kind).not.toBeNull();
      expect((box?.y ?? 0) + (box?.height ?? 1e9), `${kind} ends above the fold`).toBeLessThanOrEqual(768);
    }
    await expect(page.getByTestId("headline")).not.toBeEmpty();
    await picture(page, `overview-fold-${colorScheme}`);
  });
}

test("every tile opens its filtered list", async ({ page }) => {
  await page.goto("/?from=now-6h");
  await settled(page);
  for (const kind of TILES) {
    await page.getByTestId(`tile-${kind}`).getByRole("link").first().click();
    await expect(page.locator("main h1")).not.toHaveText("Overview");
    expect(new URL(page.url()).searchParams.get("from"), "the time range is carried along").toBe("now-6h");
    await page.goBack();
    await settled(page);
  }
});
