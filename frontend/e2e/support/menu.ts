// The navigation: finds the link of a page, unfolding its group first.
import type { Locator, Page } from "@playwright/test";
import { GROUPS, soloPage, type RailPage } from "../../src/features/shell/pages.ts";

/** A locator whose click unfolds the group if it is folded. */
export function menuEntry(page: Page, entry: RailPage): { click: () => Promise<void> } {
  const menu = page.getByRole("navigation", { name: "Pages" });
  const group = GROUPS.find(({ pages }) => pages.includes(entry));
  const link: Locator = menu.getByRole("link", { name: new RegExp(`^${entry.name}`) });
  return {
    click: async () => {
      if (group !== undefined && soloPage(group) === undefined) {
        const button = menu.getByRole("button", { name: new RegExp(`^${group.name}`) });
        if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
      }
      await link.click();
    },
  };
}
