// Navigation by mouse and keyboard: menu, search, time range, themes, pausing.
import { expect, settled, test } from "./support/fixtures.ts";

const PAGES = [
  "Map",
  "Fabrics",
  "Devices",
  "Links",
  "Paths",
  "Policies",
  "Changes",
  "Drift",
  "Drills",
  "Incidents",
  "Events",
  "Settings",
  "Overview",
];

test("every menu entry opens its page, is announced and keeps the time range", async ({ page }) => {
  await page.goto("/?from=now-6h");
  await settled(page);
  for (const name of PAGES) {
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: new RegExp(`^${name}`) })
      .click();
    await expect(page.locator("main h1")).toContainText(name);
    await expect(page.getByTestId("announcer")).toContainText(name);
    expect(new URL(page.url()).searchParams.get("from")).toBe("now-6h");
    await settled(page);
  }
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
