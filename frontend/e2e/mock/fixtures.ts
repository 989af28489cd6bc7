// A page of the mock site at a fixed time. All pages of a worker share the browser's cache and the mock worker.
import { expect, test as base, type BrowserContext, type Page } from "@playwright/test";

export { expect };

/** All ages, rates and charts follow from it. */
const NOW = new Date("2026-05-04T10:30:00Z");

interface PerTest {
  site: Page;
  /** Errors of the console and of scripts since the test began. */
  complaints: string[];
}

export const test = base.extend<PerTest, { visitor: BrowserContext }>({
  visitor: [
    async ({ browser }, use, { project }) => {
      const { baseURL, viewport, deviceScaleFactor, locale, timezoneId } = project.use;
      const context = await browser.newContext({
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(viewport === undefined ? {} : { viewport }),
        ...(deviceScaleFactor === undefined ? {} : { deviceScaleFactor }),
        ...(locale === undefined ? {} : { locale }),
        ...(timezoneId === undefined ? {} : { timezoneId }),
        reducedMotion: "reduce",
      });
      await context.clock.setFixedTime(NOW);
      await context.addInitScript(() => {
        // What a page remembers, such as columns and changes that the mock applied, must not be seen by the next.
        localStorage.clear();
        sessionStorage.clear();
        window.print = () => undefined;
      });
      // The first page of a context registers the worker that answers, and is loaded again once it is in control.
      const first = await context.newPage();
      await first.goto("/sign-in");
      await first.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await first.close();
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  site: async ({ visitor }, use) => {
    const page = await visitor.newPage();
    await use(page);
    await page.close();
  },
  complaints: [
    async ({ site }, use) => {
      const complaints: string[] = [];
      site.on("console", (message) => {
        const { url } = message.location();
        // Chromium looks for a newer mock worker by itself; whether it finds one says nothing of the page.
        const isOfWorker = message.text().startsWith("Failed to update a ServiceWorker");
        if (message.type() === "error" && !isOfWorker)
          complaints.push(`${message.text()} (${url} at ${site.url()})`);
      });
      site.on("pageerror", (error) => complaints.push(`${error.message} (${site.url()})`));
      await use(complaints);
      expect(complaints, "the browser's complaints").toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens a page and waits until nothing is loading and its charts are drawn. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator("h1").first()).toBeVisible();
  await expect(page.getByText(/^Loading .* …$/)).toHaveCount(0);
  await page.evaluate(async () => await document.fonts.ready);
}
