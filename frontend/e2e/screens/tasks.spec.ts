// Ten tasks of an operator, each from the overview within four clicks; typing is free. With BACKSTAY_SCREENSHOTS a
// picture of each result at three sizes is in test-results/screens.
import type { Locator, Page } from "@playwright/test";
import { api, expect, picture, settled, test, type List } from "../support/fixtures.ts";

const MOST_CLICKS = 4;
const SIZES = [
  { name: "laptop", width: 1366, height: 768 },
  { name: "wall", width: 1920, height: 1080 },
  { name: "phone", width: 390, height: 844 },
];

/** Clicks that are counted. */
class Operator {
  private clicks = 0;

  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
    expect(this.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  }

  /** A page of the menu: two clicks. */
  async open(group: string, entry: string): Promise<void> {
    const menu = this.page.getByRole("navigation", { name: "Pages" });
    await this.click(menu.getByRole("button", { name: new RegExp(`^${group}`) }));
    await this.click(menu.getByRole("link", { name: new RegExp(`^${entry}`) }));
    await settled(this.page);
  }

  /** One click; the field has the focus. */
  async choosesRange(text: string): Promise<void> {
    await this.click(this.page.getByRole("button", { name: /^Time range/ }));
    await this.page.getByLabel("Custom range").fill(text);
    await this.page.getByLabel("Custom range").press("Enter");
    await settled(this.page);
  }
}

function task(name: string, does: (operator: Operator) => Promise<void>): void {
  test(name, async ({ page }) => {
    await page.goto("/");
    await settled(page);
    await does(new Operator(page));
    if (process.env.BACKSTAY_SCREENSHOTS === undefined) return;
    for (const { name: size, ...viewport } of SIZES) {
      await page.setViewportSize(viewport);
      await settled(page);
      await picture(page, `task-${name.replaceAll(/\W+/g, "-")}-${size}`);
    }
  });
}

task("find the worst link", async (operator) => {
  await operator.open("Network", "Links");
  const { page } = operator;
  const first = page.getByRole("table", { name: "Links" }).getByRole("link").first();
  const { items } = await api<List<{ name: string }>>(page, "links?sort=-utilisation&limit=5");
  // Loads move between the two requests.
  expect(items.map(({ name }) => name)).toContain(await first.textContent());
});

task("why did this path fail over", async (operator) => {
  const { page } = operator;
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find a node/ }).fill("Paths");
  await page.keyboard.press("Enter");
  await expect(page.locator("main h1")).toHaveText("Paths");
  await operator.click(page.getByText("Nodes", { exact: true }));
  await operator.click(page.getByRole("button", { name: "Decisions, move and drill of sp01" }).first());
  await expect(page.getByTestId("path-panel")).toContainText(/sp01 to /);
});

task("what changed since yesterday", async (operator) => {
  await operator.open("Incidents and events", "What changed");
  await operator.choosesRange("24h");
  await expect(operator.page.locator("main h1")).toHaveText("What changed");
  await expect(operator.page).toHaveURL(/from=now-24h/);
  await expect(operator.page.getByTestId("headline")).not.toBeEmpty();
});

task("who had this address at 3 a.m.", async (operator) => {
  await operator.open("ARP and neighbours", "Neighbours");
  const { page } = operator;
  await page.getByLabel("Address", { exact: true }).fill("10.1.0.1");
  await page.getByLabel("Time", { exact: true }).fill("03:00");
  await page.getByLabel("Time", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/address=10\.1\.0\.1&at=.*T03%3A00%3A00/);
  const owners = page.getByRole("table", { name: /^Owners of 10\.1\.0\.1/ });
  const nobody = page.getByText(/^No neighbour table had 10\.1\.0\.1 at .* 03:00:00\.$/);
  await expect(owners.or(nobody)).toBeVisible();
});

task("roll back the last change", async (operator) => {
  const { page } = operator;
  const { items } = await api<List<{ name: string }>>(page, "changes?state=done&limit=1");
  test.skip(items.length === 0, "no change has been applied");
  await operator.open("Failover", "Changes");
  await operator.click(page.getByRole("link", { name: new RegExp(`^${items[0]?.name}\\b`) }).first());
  await expect(page.getByRole("button", { name: "Undo this change" })).toBeEnabled();
});

task("silence for work", async (operator) => {
  await operator.open("Incidents and events", "Maintenance");
  const { page } = operator;
  await operator.click(page.getByRole("link", { name: "New window" }));
  // Until its form is loaded, the list is shown, which has fields of the same names.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New maintenance window");
  await page.getByLabel("Name", { exact: true }).first().fill("Work on grf1");
  await page.getByRole("combobox", { name: "Name" }).fill("grf1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Objects" })).toContainText("grf1");
  await expect(page.getByRole("button", { name: /^(Create|Save)/ })).toBeEnabled();
});

task("compare two weeks", async (operator) => {
  const { page } = operator;
  await operator.click(page.getByRole("table", { name: "Busiest links" }).getByRole("link").first());
  await settled(page);
  await operator.choosesRange("7d");
  await page.getByLabel("Compare with").selectOption("7");
  await expect(page.getByText("mean 1 week before")).toBeVisible();
});

task("which port to upgrade", async (operator) => {
  await operator.open("Capacity", "Will it hold");
  await expect(operator.page.getByRole("heading", { name: "What would help" })).toBeVisible();
});

task("is this node reachable from that one", async (operator) => {
  const { page } = operator;
  await operator.open("Failover", "Paths");
  await operator.click(page.getByRole("link", { name: "Between two nodes" }));
  await page.getByLabel("From").fill("sp01");
  await page.getByLabel("To", { exact: true }).fill("origin1");
  await page.getByLabel("To", { exact: true }).press("Enter");
  await operator.click(page.getByRole("button", { name: "Find the path" }));
  await expect(page.getByTestId("headline")).toContainText("sp01 to origin1: ");
});

task("hand over a shift", async (operator) => {
  await operator.open("Incidents and events", "What changed");
  await operator.choosesRange("8h");
  await expect(operator.page.getByRole("button", { name: "Print" })).toBeEnabled();
});
