// Presses every control of every page, and every control of the menus and dialogs that open: `make crawl`. The mock API
// takes every request, so that it may delete and apply.
import type { Page } from "@playwright/test";
import { expect, test, visit } from "./fixtures.ts";
import { pages } from "./site.ts";

/** Presses per page, at most: controls of further rows are alike. */
const MOST = 24;
const PAGE_MS = 240_000;
const PRESS_MS = 3000;

/** Links that were followed, of all pages of this worker: most pages have the same. */
const followed = new Set<string>();

/** The names of the controls to press: the one of the page, then the one of what it opened. */
type Trail = readonly string[];

/**
 * Names of the visible, enabled controls of the topmost overlay, else of the page (of `main`, or also of the shell),
 * each once; the elements keep them in an attribute. Runs in the page.
 */
function markControls(withShell: boolean): { names: string[]; isOverlay: boolean } {
  const CONTROLS =
    "button, summary, select, a[href^='/'], input[type=checkbox], input[type=radio], [role=tab], [role=menuitem], " +
    "[role=option], [role=switch], [role=combobox]";
  const isVisible = (element: Element) => element.checkVisibility() && element.getClientRects().length > 0;
  const overlay = [...document.querySelectorAll("[role=dialog], [role=menu], [role=listbox]")].findLast(
    isVisible,
  );
  const root = overlay ?? (withShell ? document.body : document.querySelector("main")) ?? document.body;
  document.querySelectorAll("[data-crawl]").forEach((element) => element.removeAttribute("data-crawl"));
  const names = [...root.querySelectorAll(CONTROLS)].flatMap((element) => {
    const isOff = element.matches(":disabled, [aria-disabled=true], [data-disabled=true]");
    // A new tab is another page, a file no page; rows and their numbers are alike.
    const isElsewhere = element.matches("[target=_blank], [download], [href^='/api/']");
    if (!isVisible(element) || isOff || isElsewhere) return [];
    const href = element.getAttribute("href")?.split(/[?#]/)[0];
    const text = href ?? element.getAttribute("aria-label") ?? (element as HTMLElement).innerText;
    const name = `${element.tagName} ${element.getAttribute("role") ?? ""} ${text}`.replaceAll(/\d+/g, "N");
    if (root.querySelector(`[data-crawl="${CSS.escape(name)}"]`) !== null) return [];
    element.setAttribute("data-crawl", name);
    return [name];
  });
  return { names, isOverlay: overlay !== undefined };
}

/** Neither the error boundary nor nothing, and not loading for ever. */
async function expectPage(page: Page, trail: Trail): Promise<void> {
  const what = `after ${trail.join(" > ")}`;
  await expect(page.locator("h1").first(), what).toBeVisible();
  await expect(page.getByText("This page cannot be displayed"), what).toHaveCount(0);
  await expect(page.getByText(/^Loading .* …$/), what).toHaveCount(0);
}

/** Whether the control existed and took the click: another press may have removed or covered it. */
async function press(page: Page, name: string): Promise<boolean> {
  const control = page.locator(`[data-crawl=${JSON.stringify(name)}]`).first();
  return control.click({ timeout: PRESS_MS }).then(
    () => true,
    () => false,
  );
}

/** Presses along the trail; returns the trails into what the last press opened, or null without a press. */
async function follow(page: Page, trail: Trail, withShell: boolean): Promise<Trail[] | null> {
  for (const name of trail) {
    await page.evaluate(markControls, withShell);
    if (!(await press(page, name))) return null;
  }
  await expectPage(page, trail);
  const { names, isOverlay } = await page.evaluate(markControls, withShell);
  return isOverlay && trail.length === 1 ? names.map((name) => [...trail, name]) : [];
}

/** Presses every control once, deterministically; returns the trails that could not be pressed. */
async function crawl(page: Page, path: string, withShell: boolean): Promise<Trail[]> {
  await visit(page, path);
  const start = page.url();
  const { names } = await page.evaluate(markControls, withShell);
  const queue: Trail[] = names.filter((name) => !followed.has(name)).map((name) => [name]);
  const known = new Set([...names, ...followed]);
  const missed: Trail[] = [];
  for (let at = 0; at < Math.min(queue.length, MOST); at += 1) {
    const trail = queue[at] ?? [];
    const opened = await follow(page, trail, withShell);
    if (opened === null) missed.push(trail);
    if (trail.length === 1 && trail[0]?.startsWith("A ") === true) followed.add(trail[0]);
    const fresh = (opened ?? []).filter((inner) => !known.has(inner.at(-1) ?? ""));
    fresh.forEach((inner) => known.add(inner.at(-1) ?? ""));
    queue.splice(at + 1, 0, ...fresh);
    await page.keyboard.press("Escape");
    const isCovered = (await page.evaluate(markControls, withShell)).isOverlay;
    if (page.url() !== start || isCovered || opened === null) await visit(page, path);
  }
  return missed;
}

for (const [name, path] of await pages()) {
  test(name, async ({ site }) => {
    test.setTimeout(PAGE_MS);
    const missed = await crawl(site, path, name === "overview");
    // Not a failure: what a press before it removed cannot be pressed.
    for (const trail of missed)
      test.info().annotations.push({ type: "missed", description: trail.join(" > ") });
  });
}
