// The CSV of a list has every row that matches, not only those on the page.
import { readFile } from "node:fs/promises";
import { api, expect, settled, test, type List } from "../support/fixtures.ts";

for (const [url, query, file] of [
  ["/incidents?phase=all&root=all&muted=all", "incidents?limit=500", "incidents.csv"],
  ["/events?view=flat&from=now-30d", "events?start=now-30d&limit=500", "events.csv"],
  ["/paths?view=nodes", "paths?limit=500", "paths-of-argonne.csv"],
] as const) {
  test(`the CSV of ${url} has all rows`, async ({ page }) => {
    await page.goto(url);
    await settled(page);
    const button = page.getByRole("button", { name: /^CSV/ });
    await expect(button).toBeEnabled();
    const download = page.waitForEvent("download");
    await button.click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(file);
    const { items } = await api<List<{ id: number }>>(page, query);
    const text = await readFile(await saved.path(), "utf8");
    // No cell of these lists has a line break.
    const rows = text.trimEnd().split("\r\n").slice(1);
    expect(rows.length).toBeGreaterThan(0);
    // One page of the API has at most 500; something may happen meanwhile.
    expect(Math.abs(rows.length - items.length) <= 5 || items.length === 500).toBe(true);
  });
}
