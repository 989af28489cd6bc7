// What every browser test gets: a page that fails the test when the browser complains, and the API behind it.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test as base, type Page } from "@playwright/test";

export { expect };

/** A session that fails when the console shows an error, a script throws, or the content security policy refuses something. */
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
        // The mock's worker is looked for anew now and then; only the development server has one.
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

/** JSON of the public API, asked with the page's session. */
export async function api<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(`/api/v1/${path}`);
  expect(response.ok(), `GET /api/v1/${path} answers ${response.status()}`).toBe(true);
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

/** Serious and critical findings of axe on what is shown, as text that says where; of all its rules, or of those named. */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  // Its other mode opens a second page to finish in, which costs more than the check; that is for frames of other origins.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary ?? ""}`),
    );
}

/** A picture for people, under test-results/screens. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `test-results/screens/${name}.png` });
}

/** The page's own first answer is drawn: its heading is there and nothing is still being read. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.getByText(/^Reading .* …$/)).toHaveCount(0);
}
