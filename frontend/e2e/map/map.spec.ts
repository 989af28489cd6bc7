// The map shows the whole site and updates live.
import { api, expect, settled, test, type List } from "../support/fixtures.ts";

interface Topology {
  nodes: { id: number; name: string }[];
  links: { id: number; carries: string; state: string }[];
}

test("every node and every link of the site is on the map", async ({ page }) => {
  const topology = await api<Topology>(page, "topology");
  await page.goto("/map");
  await settled(page);
  const map = page.getByTestId("map").locator("[data-nodes]");
  await expect(map).toHaveAttribute("data-nodes", String(topology.nodes.length));
  await expect(map).toHaveAttribute("data-links", String(topology.links.length));
  for (const { id } of topology.links) await expect(page.locator(`[data-link-id="${id}"]`)).toHaveCount(1);
});

test("a link's load on the map changes within 5 s without a reload", async ({ page }) => {
  const { items } = await api<List<{ id: number; name: string }>>(page, "links?limit=500");
  const link = items.find(({ name }) => name.startsWith("grf1:ga030"));
  await page.goto("/map");
  await settled(page);
  const shown = page.locator(`[data-link-id="${link?.id}"]`);
  await expect(shown).toHaveAttribute("data-forward", /\d/);
  const before = await shown.getAttribute("data-forward");
  await expect(shown).not.toHaveAttribute("data-forward", before ?? "", { timeout: 5000 });
});

test("the map stays usable while the window is resized", async ({ page }) => {
  await page.goto("/map");
  await settled(page);
  await page.evaluate(() => void setInterval(() => window.dispatchEvent(new Event("resize")), 5));
  // Any of them: a link that carries only reports has the same load again and again.
  const links = page.locator("[data-link-id][data-forward]");
  const loads = () =>
    links.evaluateAll((shown) => shown.map((link) => link.getAttribute("data-forward")).join());
  const before = await loads();
  await expect.poll(loads, { timeout: 8000 }).not.toBe(before);
  await expect(page.getByTestId("map").locator("[data-nodes]")).toBeVisible();
});

test("a selection is in the URL and survives a reload", async ({ page }) => {
  const { items } = await api<List<{ id: number; name: string }>>(page, "links?limit=500");
  const link = items.find(({ name }) => name.startsWith("grf1:ga030"));
  await page.goto(`/map?sel=link:${link?.id}`);
  await settled(page);
  await expect(page.getByRole("main")).toContainText(link?.name ?? "no link");
  await page.reload();
  await expect(page.getByRole("main")).toContainText(link?.name ?? "no link");
});
