// Writes the two screenshots of the README, only with BACKSTAY_SCREENSHOTS set.
import { fileURLToPath } from "node:url";
import { settled, test } from "../support/fixtures.ts";

test.skip(process.env.BACKSTAY_SCREENSHOTS === undefined, "writes docs/images with BACKSTAY_SCREENSHOTS");

for (const [name, path] of [
  ["overview", "/"],
  ["map", "/map"],
] as const) {
  test(`screenshot of the ${name}`, async ({ page }) => {
    await page.setViewportSize({ width: 1366, height: 768 });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(path);
    await settled(page);
    // Two load messages of the live stream: links have a load.
    await page.waitForTimeout(5000);
    await page.screenshot({
      path: fileURLToPath(new URL(`../../../docs/images/${name}.png`, import.meta.url)),
    });
  });
}
