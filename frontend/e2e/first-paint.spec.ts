// The map's first answers are asked at once, not one after the other: three journeys in one.
import type { Page } from "@playwright/test";
import { expect, settled, test } from "./fixtures.ts";

const drawn = (page: Page): Promise<void> =>
  expect(page.getByTestId("map").locator("[data-labels]")).toBeVisible();

test("who one is, which sites there are and how this one looks are asked together", async ({ page }) => {
  await page.goto("/map");
  await settled(page);
  // Now the browser knows which site it was on.
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
  // None is answered yet, so none can have waited for another.
  await expect.poll(() => asked.toSorted()).toEqual(["session", "sites", "topology"]);
  release();
  await loaded;
  await settled(page);
  await drawn(page);
});
