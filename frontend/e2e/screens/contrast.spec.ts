// High contrast, and what a page is on paper.
import { api, axeFindings, expect, settled, test, type List } from "../support/fixtures.ts";

const PAGES = ["/", "/links", "/paths", "/incidents?phase=all", "/changes", "/capacity"];

for (const scheme of ["Light", "Dark"]) {
  test(`high contrast has text of 7:1 on every page (${scheme})`, async ({ page }) => {
    test.slow();
    await page.goto("/");
    await settled(page);
    for (const name of [scheme, "High contrast"]) {
      await page.getByRole("button", { name: /^Theme:/ }).click();
      await page.getByRole(name === scheme ? "menuitem" : "menuitemcheckbox", { name }).click();
    }
    await expect(page.locator("html")).toHaveAttribute("data-contrast", "more");
    for (const url of PAGES) {
      await page.goto(url);
      await settled(page);
      expect(await axeFindings(page, ["color-contrast-enhanced"]), url).toEqual([]);
    }
  });
}

test("an incident on paper has its content, without navigation and controls", async ({ page }) => {
  const { items } = await api<List<{ url: string; title: string }>>(page, "incidents?limit=1");
  const incident = items[0];
  test.skip(incident === undefined, "no incident has happened yet");
  await page.goto(incident?.url ?? "/");
  await settled(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeHidden();
  await expect(page.locator("main button:visible")).toHaveCount(0);
  await expect(page.locator("main h1")).toContainText(incident?.title ?? "");
  // All of it, not one screen of it, on the whole width.
  const [shown, content, width] = await page.evaluate(() => {
    const main = document.querySelector("main");
    return [main?.clientHeight ?? 0, main?.scrollHeight ?? 1, (main?.clientWidth ?? 0) / window.innerWidth];
  });
  expect(shown).toBe(content);
  expect(width).toBeGreaterThan(0.95);
});
