// Navigation by mouse and keyboard: menu, search, time range, themes, pausing.
import { axeFindings, expect, settled, test } from "./support/fixtures.ts";
import { menuEntry } from "./support/menu.ts";
import { PAGES } from "../src/features/shell/pages.ts";

test("every menu entry opens its page, is announced and keeps the time range", async ({ page }) => {
  await page.goto("/?from=now-6h");
  await settled(page);
  for (const entry of [...PAGES.slice(1), ...PAGES.slice(0, 1)]) {
    await menuEntry(page, entry).click();
    await expect(page.locator("main h1")).toContainText(entry.name);
    await expect(page.getByTestId("announcer")).toContainText(entry.name);
    expect(new URL(page.url()).searchParams.get("from")).toBe("now-6h");
    await settled(page);
  }
});

test("the menu works by keyboard alone: folded, unfolded and as a drawer on a phone", async ({ page }) => {
  await page.goto("/");
  await settled(page);
  const menu = page.getByRole("navigation", { name: "Pages" });
  const failover = menu.getByRole("button", { name: /^Failover/ });
  await expect(failover).toHaveAttribute("aria-expanded", "false");
  await failover.focus();
  await page.keyboard.press("Enter");
  await expect(failover).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("main h1")).toHaveText("Paths");
  await page.reload();
  await expect(menu.getByRole("link", { name: "Paths" })).toHaveAttribute("aria-current", "page");

  await page.getByRole("button", { name: "Collapse" }).click();
  await menu.getByRole("button", { name: /^Network/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Map" })).toBeVisible();
  // It takes the focus a moment after it is visible; keys before that go to the button.
  await expect(page.getByRole("menu").locator(":focus")).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Map" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.locator("main h1")).toHaveText("Fabrics");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open the menu" }).click();
  const drawer = page.getByRole("dialog", { name: "Pages" });
  await expect(drawer.getByRole("link", { name: "Fabrics" })).toHaveAttribute("aria-current", "page");
  await drawer.getByRole("link", { name: "Devices" }).click();
  await expect(page.locator("main h1")).toHaveText("Devices");
  await expect(drawer).toBeHidden();
});

test("every page has help, and ? lists the shortcuts", async ({ page }) => {
  await page.goto("/rules");
  await settled(page);
  await page.getByRole("button", { name: "Help", exact: true }).click();
  const help = page.getByRole("dialog", { name: "Help", exact: true });
  await expect(help).toContainText("Thresholds of the alert rules");
  expect(await axeFindings(page)).toEqual([]);
  await help.getByRole("link", { name: "Documentation of this page" }).click();
  await expect(page.locator("main h1")).toHaveText("Alert rules");
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(list).toContainText("g p");
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
});

test("Ctrl-K finds a node by its name", async ({ page }) => {
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /^Find a node/ })).toBeFocused();
  await page.keyboard.type("onyx");
  await expect(page.getByRole("option").first()).toContainText("onyx1");
  await page.keyboard.press("Enter");
  await expect(page.locator("main h1")).toHaveText("onyx1");
});

test("a typed range stays relative in the URL, and an invalid one is explained", async ({ page }) => {
  await page.goto("/events");
  await page.getByRole("button", { name: /Time range/ }).click();
  const field = page.getByLabel("Custom range");
  await field.fill("soon");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Invalid range/)).toBeVisible();
  await field.fill("36h");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=now-36h/);
});

test("the theme is kept over a reload", async ({ page }) => {
  await page.goto("/fabrics");
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("pausing freezes the values until live data is resumed", async ({ page }) => {
  await page.goto("/");
  // Its hidden label contains "live" in every state.
  await expect(page.getByTestId("live")).toHaveAttribute("data-tone", "live", { timeout: 30_000 });
  await page.getByTestId("live").click();
  await expect(page.getByText(/^Paused/)).toBeVisible();
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(page.getByTestId("live")).toHaveAttribute("data-tone", "live", { timeout: 30_000 });
});

test("the tour leads from page to page, and ends on the page where it is ended", async ({ page }) => {
  await page.goto("/links?from=now-6h");
  await settled(page);
  await page.getByRole("button", { name: "Help", exact: true }).click();
  await page.getByRole("link", { name: "Tour of the pages" }).click();
  const tour = page.getByRole("region", { name: "Tour" });
  await expect(tour).toContainText("stop 1 of 7");
  await expect(page.locator("main h1")).toHaveText("Overview");
  await tour.getByRole("button", { name: "Next" }).click();
  await expect(page.locator("main h1")).toHaveText("Map");
  await page.reload();
  await expect(tour).toContainText("stop 2 of 7");
  expect(await axeFindings(page)).toEqual([]);
  await tour.getByRole("button", { name: "End" }).click();
  await expect(tour).toHaveCount(0);
  await expect(page).toHaveURL(/\/map\?from=now-6h$/);
});
