// Every page in both themes looks as its baseline; `make baselines` takes them again. Charts and maps are compared, too.
import { expect, test, visit } from "./fixtures.ts";
import { baselineName, SCHEMES } from "./pages.ts";
import { pages } from "./site.ts";

for (const [name, path] of await pages()) {
  test(name, async ({ site }) => {
    await site.emulateMedia({ colorScheme: SCHEMES[0] });
    await visit(site, path);
    for (const colorScheme of SCHEMES) {
      await site.emulateMedia({ colorScheme });
      await expect.soft(site).toHaveScreenshot(baselineName(name, colorScheme));
    }
  });
}

/** What the comparison must notice, as styles that change the page of links. */
const CHANGES: readonly (readonly [what: string, css: string])[] = [
  ["another accent colour", ":root { --accent: #b3261e !important }"],
  ["a missing column", "td:nth-child(4), th:nth-child(4) { visibility: hidden !important }"],
  ["a moved panel", "main > * { transform: translateX(3px) }"],
];
for (const [what, css] of CHANGES) {
  test(`${what} is no small difference`, async ({ site }) => {
    await site.emulateMedia({ colorScheme: "light" });
    await visit(site, "/links");
    await site.addStyleTag({ content: css });
    await expect(site).not.toHaveScreenshot(baselineName("links", "light"));
  });
}
