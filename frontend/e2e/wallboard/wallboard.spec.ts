// A wallboard: made on its page, opened without a session, reconnects after its stream was cut, and goes dark when
// it is revoked.
import { demo } from "../support/demo.ts";
import { axeFindings, expect, picture, settled, test } from "../support/fixtures.ts";
import type { Browser, Page } from "@playwright/test";

const NAME = `control room ${Date.now()}`;
const PAGES = ["overview", "incidents", "map", "paths", "links"] as const;
const SIZES = [
  ["dark", 1920, 1080],
  ["light", 1920, 1080],
  ["dark", 1366, 768],
  ["light", 1366, 768],
  ["dark", 390, 844],
  ["light", 390, 844],
] as const;

/** Makes a wallboard as an operator does; its link, which is shown once. */
async function create(page: Page): Promise<string> {
  await page.goto("/notifications/wallboards");
  await settled(page);
  await page.getByRole("link", { name: "New wallboard" }).click();
  await page.getByLabel("Name", { exact: true }).fill(NAME);
  await page.getByLabel("Seconds per page").fill("600");
  await picture(page, "wallboard-form");
  await page.getByRole("button", { name: "Create wallboard" }).click();
  const link = await page.getByTestId("wallboard-link").textContent();
  await picture(page, "wallboard-created");
  expect(link).toMatch(/\/wall#bsw_[\w-]{43}$/);
  return link ?? "";
}

/** A browser without the operator's session. */
async function screenOf(browser: Browser, link: string) {
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    baseURL: demo().url,
  });
  const wall = await context.newPage();
  const requests: { url: string; method: string; status: number }[] = [];
  const problems: string[] = [];
  wall.on("response", (response) =>
    requests.push({ url: response.url(), method: response.request().method(), status: response.status() }),
  );
  wall.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  wall.on("pageerror", (error) => problems.push(error.message));
  await wall.setViewportSize({ width: 1920, height: 1080 });
  await wall.goto(link);
  return { context, wall, requests, problems };
}

test("a wallboard shows the site, survives a cut, and ends when it is revoked", async ({ page, browser }) => {
  test.setTimeout(240_000);
  const link = await create(page);
  const { context, wall, requests, problems } = await screenOf(browser, link);
  const streams = () => requests.filter(({ url, status }) => url.includes("/api/v1/live") && status === 200);

  await test.step("data without a session", async () => {
    await expect(wall.getByTestId("wall-headline")).not.toHaveText("Reading the site.");
    await expect(wall.getByTestId("wall-age")).toContainText(/live, data \d+ s old/);
    await expect(wall.getByTestId("wall-fault")).toHaveCount(0);
    await expect(wall.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    expect(await axeFindings(wall)).toEqual([]);
  });

  await test.step("every page, size and theme", async () => {
    for (const name of PAGES) {
      await expect(wall.locator("main")).toHaveAttribute("data-page", name);
      await expect(wall.getByText(/^Loading .* …$/)).toHaveCount(0);
      for (const [theme, width, height] of SIZES) {
        await wall.setViewportSize({ width, height });
        await wall
          .locator("html")
          .evaluate((root, scheme) => root.setAttribute("data-mantine-color-scheme", scheme), theme);
        await picture(wall, `wall-${name}-${theme}-${width}`);
        const excess = await wall.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(excess, `${name} at ${width}`).toBeLessThanOrEqual(0);
      }
      await wall.keyboard.press("ArrowRight");
    }
    await wall.locator("html").evaluate((root) => root.setAttribute("data-mantine-color-scheme", "dark"));
    await wall.setViewportSize({ width: 1920, height: 1080 });
    await wall.keyboard.press(" ");
    await expect(wall.getByRole("button", { name: /Paused/ })).toBeVisible();
  });

  await test.step("only reads, and no token in an address", () => {
    expect(problems).toEqual([]);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(requests.filter(({ status }) => status >= 400)).toEqual([]);
    expect(requests.filter(({ url }) => url.includes("bsw_"))).toEqual([]);
  });

  // Chromium's offline mode keeps open streams; token-source.test.ts has those that end or fall silent.
  await test.step("a cut is unmistakable, and the wall recovers by itself", async () => {
    expect(streams().length).toBeGreaterThan(0);
    await context.setOffline(true);
    await expect(wall.getByTestId("wall-fault")).toContainText("Connection lost", { timeout: 40_000 });
    await picture(wall, "wall-lost");
    await context.setOffline(false);
    await expect(wall.getByTestId("wall-fault")).toHaveCount(0, { timeout: 60_000 });
    await expect(wall.getByTestId("wall-age")).toContainText(/live, data [0-9] s old/, { timeout: 60_000 });
    // The browser logs the requests that failed meanwhile.
    problems.length = 0;
  });

  await test.step("revocation takes effect at once", async () => {
    await page.goto("/notifications/wallboards");
    const row = page.getByRole("row").filter({ hasText: NAME });
    await picture(page, "wallboards");
    await row.getByRole("button", { name: "Revoke" }).click();
    const began = Date.now();
    await page.getByRole("button", { name: "Revoke wallboard" }).click();
    await expect(wall.getByTestId("wall-refused")).toContainText("This wallboard was revoked.", {
      timeout: 10_000,
    });
    test.info().annotations.push({ type: "dark after", description: `${Date.now() - began} ms` });
    await picture(wall, "wall-revoked");
    await expect(row.getByText("revoked")).toBeVisible();
    await wall.reload();
    await expect(wall.getByTestId("wall-refused")).toContainText("This wallboard was revoked.");
  });
  await context.close();
});

test("a wrong link says so", async ({ browser }) => {
  const { context, wall } = await screenOf(browser, "/wall#bsw_wrong");
  await expect(wall.getByTestId("wall-refused")).toContainText("unknown");
  await wall.goto("/wall");
  await wall.reload();
  await expect(wall.getByTestId("wall-refused")).toContainText("incomplete");
  await context.close();
});
