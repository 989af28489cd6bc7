// Shared by all browser tests: a page that fails the test on console errors, and API access.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test as base, type Page } from "@playwright/test";

export { expect };

const LOADED_MS = 30_000;

/** Fails a test on console errors, script errors and violations of the content security policy. */
export const test = base.extend<{ complaints: string[] }>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      await page.addInitScript(() => {
        document.addEventListener(
          "securitypolicyviolation",
          ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
            console.error(
              `content security policy: ${violatedDirective} refused ${blockedURI} at ${sourceFile}:${lineNumber}`,
            );
          },
        );
      });
      page.on("console", (message) => {
        // Only the development server has the worker of the mock API.
        if (message.text().startsWith("Failed to update a ServiceWorker")) return;
        if (message.type() === "error") complaints.push(`${message.text()} (${page.url()})`);
      });
      page.on("pageerror", (error) => complaints.push(`${error.message} (${page.url()})`));
      await use(complaints);
      expect(complaints, "the browser's complaints").toEqual([]);
    },
    { auto: true },
  ],
});

/** JSON of the public API, requested with the session of the page. */
export async function api<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(`/api/v1/${path}`);
  expect(response.ok(), `GET /api/v1/${path} returns ${response.status()}`).toBe(true);
  return (await response.json()) as T;
}

export interface List<T> {
  items: T[];
}

export interface ApiLink {
  id: number;
  name: string;
  source: { node: string };
  forward: { bps: number; utilisation: number } | null;
}

export interface ApiIncident {
  id: number;
  kind: string;
  phase: string;
  name: string;
  link_id: number | null;
  direction: string | null;
  title: string;
}

/** Serious and critical axe findings with their place; of all rules, or of `rules`. */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(still);
  // The other mode opens a second page, needed only for frames of other origins.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
    );
}

/** Waits until what opens has opened: half transparent, its text has too little contrast. Runs in the page. */
async function still(): Promise<void> {
  const frame = async () => await new Promise(requestAnimationFrame);
  // Not what moves for longer, such as the progress of a wallboard's page.
  const ending = () =>
    document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().endTime) <= 1000);
  for (let quiet = 0; quiet < 2; quiet += 1) {
    await frame();
    if (ending().some(({ playState }) => playState === "running")) quiet = -1;
  }
}

/** A screenshot under test-results/screens. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `test-results/screens/${name}.png` });
}

/** Waits until the heading is visible and nothing is loading; on a busy machine that may take a while. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("main h1")).toBeVisible({ timeout: LOADED_MS });
  await expect(page.getByText(/^Loading .* …$/)).toHaveCount(0, { timeout: LOADED_MS });
}

/** Types a gateway into the policy form, and waits until it is in the list. */
export async function addGateway(page: Page, name: string): Promise<void> {
  const field = page.getByLabel(/First gateway|Add a gateway/);
  await field.fill(name);
  await field.press("Enter");
  await expect(page.locator(`[data-gateway="${name}"]`)).toBeVisible();
}
