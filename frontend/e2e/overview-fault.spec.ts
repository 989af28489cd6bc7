// A gateway fails: the overview names it and its rerouted paths, all numbers agree, and one row remains afterwards.
import type { Page } from "@playwright/test";
import { api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "./support/lab.ts";

interface Tile {
  kind: string;
  total: number;
  items: { title: string; detail: string; state: string }[];
}

interface Overview {
  headline: string;
  tiles: Tile[];
  policies: { nodes: number; dead: number; rerouted: number; state: string }[];
  paths_total: number;
  paths_dead: number;
  paths_on_fallback: number;
  paths_unknown: number;
  root_causes: number;
  open_incidents: number;
}

interface Group {
  title: string;
  detail: string;
  state: string;
  end: string | null;
  rerouted: number;
}

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

const shots = [
  ["light", 1366, 768],
  ["dark", 1366, 768],
  ["light", 390, 844],
  ["dark", 390, 844],
] as const;

async function pictures(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width, height] of shots) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await picture(page, `${name}-${colorScheme}-${width}`);
  }
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** All numbers of one response agree with its headline. */
function agree(answer: Overview): void {
  const sum = (name: "nodes" | "dead" | "rerouted") =>
    answer.policies.reduce((all, policy) => all + policy[name], 0);
  expect([sum("nodes"), sum("dead"), sum("rerouted")]).toEqual([
    answer.paths_total,
    answer.paths_dead,
    answer.paths_on_fallback,
  ]);
  const problems = answer.tiles.find(({ kind }) => kind === "problems")?.total ?? -1;
  expect(problems).toBeGreaterThanOrEqual(answer.root_causes);
  if (problems > 0) expect(answer.headline).not.toContain("No problems");
  if (answer.paths_dead > 0)
    expect(answer.headline.split(". ")[0]).toMatch(new RegExp(`${answer.paths_dead} paths? dead`));
}

test("cut grf1: the headline names it within 10 s, tiles agree, and restore leaves one group", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const overview = async () => await api<Overview>(page, "overview");
  await page.goto("/");
  await settled(page);
  await expect(async () => {
    const { paths_dead, paths_on_fallback, paths_unknown } = await overview();
    expect([paths_dead, paths_on_fallback, paths_unknown]).toEqual([0, 0, 0]);
  }).toPass({ timeout: 60_000 });
  const began = Date.now();

  await lab("cut", "grf1");
  await expect(page.getByTestId("headline")).toContainText(/grf1 .*(dead|rerouted)/, { timeout: 10_000 });
  test.info().annotations.push({ type: "headline", description: `${Date.now() - began} ms` });
  agree(await overview());
  await page.waitForTimeout(8000);
  agree(await overview());
  const badge = page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("button", { name: /^Incidents and events/ });
  await expect(async () => {
    const { root_causes } = await overview();
    await expect(badge).toContainText(String(root_causes), { timeout: 100 });
  }).toPass({ timeout: 15_000 });
  await pictures(page, "fault-overview");
  await page.goto("/events");
  await settled(page);
  await pictures(page, "fault-events");

  await lab("restore", "grf1");
  await page.goto("/");
  await expect(async () => {
    const { paths_dead, paths_on_fallback, root_causes } = await overview();
    // What a failure would do is known, and stays known, without one.
    const forecasts = await api<List<unknown>>(page, "incidents?phase=current&kind=fallback_would_not_hold");
    expect([paths_dead, paths_on_fallback, root_causes]).toEqual([0, 0, forecasts.items.length]);
  }).toPass({ timeout: 90_000 });
  // A fault of a test before may have ended seconds before this one: it is a group of its own.
  const start = encodeURIComponent(new Date(began).toISOString());
  const { items } = await api<List<Group>>(page, `events/groups?about=paths&start=${start}`);
  expect(items.map(({ title }) => title)).toHaveLength(1);
  expect(items[0]?.title).toContain("grf1");
  expect(items[0]?.detail).toContain("restored");
  expect(items[0]?.state).toBe("ok");
  await page.goto("/events");
  await settled(page);
  const row = page.locator("[data-group]").filter({ hasText: "rerouted" }).first();
  await row.getByRole("button", { name: /Show/ }).click();
  await expect(row.locator('[data-kind="path.switched"]').first()).toBeVisible();
  await picture(page, "fault-events-restored");
});
