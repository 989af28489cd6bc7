// Browsers offer to install the site as an application.
import { expect, settled, test } from "../support/fixtures.ts";

test("Chromium finds nothing that keeps the site from being installed", async ({ page }) => {
  await page.goto("/");
  await settled(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? "{}") as { icons: { src: string }[] };
  expect(manifest.icons.length).toBeGreaterThan(0);
  for (const { src } of manifest.icons) expect((await page.request.get(src)).ok(), src).toBe(true);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A test's context keeps nothing, as a private window, in which nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual(
    [],
  );
});
