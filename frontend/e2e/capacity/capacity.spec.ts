// Capacity: the study and what-if say the same as the API, and a scenario is in the URL.
import { api, expect, settled, test, type List } from "../support/fixtures.ts";

interface Failure {
  id: number;
  name: string;
  sentence: string;
}
interface Answer {
  failure: { moves: { nodes: number }[]; failed: { name: string }[] };
}

test("the list names every failure with its verdict, and opens one", async ({ page }) => {
  // A study is made once a minute.
  await expect(async () => {
    const { items } = await api<List<Failure>>(page, "capacity/n-1?limit=500");
    expect(items.map(({ name }) => name)).toContain("grf1");
  }).toPass({ timeout: 75_000 });
  await page.goto("/capacity");
  await settled(page);
  await page
    .getByRole("table", { name: "Single failures" })
    .getByRole("link", { name: "grf1", exact: true })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("If grf1 fails");
  await expect(page.getByTestId("verdict")).toContainText("If grf1 fails,");
  await page.getByRole("link", { name: "Open in what-if" }).click();
  await expect(page).toHaveURL(/what-if\?dead=node%3A\d+/);
});

test("an object that fails by name moves its nodes, and the scenario survives a reload", async ({ page }) => {
  await page.goto("/capacity/what-if");
  await settled(page);
  await expect(page.getByText("Nothing fails.")).toBeVisible();
  const map = page.getByTestId("what-if-map");
  await page.getByLabel("Let fail").fill("grf1");
  await page.getByLabel("Let fail").press("Enter");
  await expect(page).toHaveURL(/dead=node%3Agrf1/);
  const { failure } = await api<Answer>(page, "capacity/what-if?dead=node:grf1");
  expect(failure.moves.length).toBeGreaterThan(0);
  const moves = page.getByRole("table", { name: "Moves" }).getByRole("row");
  await expect(moves).toHaveCount(failure.moves.length + 1);
  await page.reload();
  await expect(page.getByTestId("verdict")).toContainText("If grf1 fails,");
  await expect(map).toHaveAttribute("data-after", "true");
  await page.getByRole("button", { name: "Let grf1 work again" }).click();
  await expect(page.getByText("Nothing fails.")).toBeVisible();
});

test("the track record states what the API states", async ({ page }) => {
  const { status } = await api<{ status: { headline: string } }>(page, "capacity/track-record");
  await page.goto("/capacity");
  await settled(page);
  const section = page.getByRole("region", { name: "Track record" });
  await expect(section).toContainText(status.headline);
});

test("the forecast states what the API states", async ({ page }) => {
  const { status } = await api<{ status: { headline: string } }>(page, "capacity/forecast?limit=1");
  await page.goto("/capacity");
  await settled(page);
  await page.getByRole("link", { name: "Forecast" }).click();
  await expect(page.getByTestId("headline")).toContainText(status.headline);
});
