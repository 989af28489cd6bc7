// The first requests of the map are sent in parallel.
import type { Page } from "@playwright/test";
import { expect, settled, test } from "./support/fixtures.ts";

const drawn = (page: Page): Promise<void> =>
  expect(page.getByTestId("map").locator("[data-labels]")).toBeVisible();

test("session, sites and topology are requested together", async ({ page }) => {
  await page.goto("/map");
  await settled(page);
  // The browser now remembers the site.
  await drawn(page);
  const asked: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/api\/v1\/(session|sites|topology)(\?|$)/, async (route) => {
    asked.push(new URL(route.request().url()).pathname.replace("/api/v1/", ""));
    await held;
    await route.continue();
  });
  const loaded = page.goto("/map");
  // No response was sent yet, so no request waited for another.
  // The page that is left may have asked for the topology once more.
  await expect.poll(() => [...new Set(asked)].toSorted()).toEqual(["session", "sites", "topology"]);
  release();
  await loaded;
  await settled(page);
  await drawn(page);
});
