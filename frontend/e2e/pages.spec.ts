// Every page in both themes and at phone width: no console errors, no axe findings, no horizontal scrolling, a screenshot.
import type { Page } from "@playwright/test";
import { api, axeFindings, expect, picture, settled, test } from "./support/fixtures.ts";
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

/** Keys of the API, paths of our own files, whole hashes and messages of validators, which no page may show. */
const RAW =
  /(?<!\/)\b[a-z]+_[a-z]+_[a-z_]+\b|\b(?:incident|change|path|node|port|drill|policy)\.[a-z_]+\b|\b[0-9a-f]{24,}\b|\bdocs\/[\w/.-]+|Input should be|neighbour_capacity/g;

async function rawTexts(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => {
    const main = document.querySelector("main")?.cloneNode(true) as HTMLElement;
    main.querySelectorAll("code, pre, .mono, option").forEach((element) => element.remove());
    return main.textContent ?? "";
  });
  return [...text.matchAll(RAW)].map(([found]) => found);
}

test("an address without an object names it and offers the search", async ({ page }) => {
  await page.goto("/devices/grf9");
  await expect(page.getByRole("alert")).toContainText("No device named grf9.");
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Search for grf9" }).click();
  await expect(page.getByRole("combobox", { name: /^Find a node/ })).toHaveValue("grf9");
});

test("every page is accessible in both themes and fits a phone", async ({ page }) => {
  test.setTimeout(900_000);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  for (const [name, path] of await routes((below) => api(page, below))) {
    await page.setViewportSize(DESK);
    await page.goto(path);
    await settled(page);
    expect.soft(await rawTexts(page), `${name}: raw keys, paths or hashes`).toEqual([]);
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
