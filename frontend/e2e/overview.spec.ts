// The overview: five tiles, each with a link to its list.
import { expect, picture, settled, test } from "./fixtures.ts";

const QUESTIONS = ["broken", "nearly_full", "just_changed", "to_confirm", "out_of_sight"];

for (const colorScheme of ["light", "dark"] as const) {
  test(`all five tiles are visible without scrolling at 1366x768 (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await settled(page);
    for (const question of QUESTIONS) {
      const box = await page.getByTestId(`answer-${question}`).boundingBox();
      expect(box, question).not.toBeNull();
      expect((box?.y ?? 0) + (box?.height ?? 1e9), `${question} ends above the fold`).toBeLessThanOrEqual(
        768,
      );
    }
    await expect(page.getByTestId("headline")).not.toBeEmpty();
    await picture(page, `overview-fold-${colorScheme}`);
  });
}

test("every tile leads to its filtered list", async ({ page }) => {
  await page.goto("/?from=now-6h");
  await settled(page);
  for (const question of QUESTIONS) {
    await page.getByTestId(`answer-${question}`).getByRole("link").first().click();
    await expect(page.locator("main h1")).not.toHaveText("Overview");
    expect(new URL(page.url()).searchParams.get("from"), "the time range is carried along").toBe("now-6h");
    await page.goBack();
    await settled(page);
  }
});
