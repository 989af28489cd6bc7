// Every page in both themes and at phone width: no console errors, no axe findings, no horizontal scrolling, a screenshot.
import type { Page } from "@playwright/test";
import { axeFindings, expect, picture, settled, test } from "./support/fixtures.ts";
import { routes } from "./support/routes.ts";

const DESK = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

/** Horizontal overflow of the document and of the page, CSS pixels. */
async function sideways(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [document.documentElement, document.querySelector("main")].map((element) =>
      element === null ? 0 : element.scrollWidth - element.clientWidth,
    ),
  );
}

test("every page is accessible in both themes and fits a phone", async ({ page }) => {
  test.setTimeout(900_000);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  for (const [name, path] of await routes(page)) {
    await page.setViewportSize(DESK);
    await page.goto(path);
    await settled(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await picture(page, `${name}-${colorScheme}`);
      // The themes differ in colours only: the other rules see the same page in both.
      expect
        .soft(
          await axeFindings(page, colorScheme === "dark" ? ["color-contrast"] : undefined),
          `${name} (${colorScheme})`,
        )
        .toEqual([]);
    }
    await page.setViewportSize(PHONE);
    await picture(page, `${name}-phone`);
    expect.soft(await sideways(page), `${name} on a phone`).toEqual([0, 0]);
    await page.emulateMedia({ colorScheme: "light" });
  }
});
