// Throughput tests: from the list of runs to one cell, state in the URL, cell count of a plan, speed of a large matrix.
import { expect, picture, settled, test } from "./support/fixtures.ts";

test("a paper's run shows its bottleneck as matrix, lines and text, and a cell's link opens that cell", async ({
  page,
}) => {
  await page.goto("/tests?source=paper&q=cern96");
  await settled(page);
  await page.getByRole("table", { name: "Test runs" }).getByRole("link", { name: "cern96/fig4" }).click();
  await expect(page.getByTestId("headline")).toContainText("Window-limited: 64 KiB / 3 ms");
  await expect(page.getByText("CERN CN/96/13")).toBeVisible();
  await expect(page.getByRole("table", { name: "Conclusions" })).toContainText("latency limited");
  await expect(page.locator("[data-lines]")).toHaveAttribute("data-lines", "7");
  const cells = page.getByRole("grid", { name: "Matrix of cern96/fig4" }).getByRole("gridcell");
  await expect(cells).toHaveCount(70);
  await cells.first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("cell")).toContainText("2 streams, buffer 32 KiB");
  await picture(page, "test-run-cell");
  await page.reload();
  await expect(page.getByTestId("cell")).toContainText("2 streams, buffer 32 KiB");
});

test("two runs are compared cell by cell, and the form counts cells while one types", async ({ page }) => {
  await page.goto("/tests/compare?before=cern96.fig4&after=cern96.fig5");
  await settled(page);
  await expect(page.getByTestId("comparison")).toHaveAttribute("data-outcome", /slower|faster|same/);
  await expect(page.getByRole("grid", { name: "Matrix of the change" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Differences" })).toBeVisible();
  await page.getByLabel("Show", { exact: true }).selectOption("sides");
  await expect(page.getByRole("grid", { name: "Matrix after" })).toBeVisible();
  await page.goto("/tests/plans/new");
  await settled(page);
  await page.getByLabel("Streams").fill("1-10");
  await page.getByLabel("Buffers").fill("16K 32K 64K 128K 256K 512K 1M");
  await expect(page.getByTestId("plan-size")).toContainText("70 cells");
  await page.getByText("More settings").click();
  await expect(page.getByLabel("Congestion control")).toBeVisible();
  await page.getByLabel("Streams").fill("1-40");
  await page.getByLabel("Repeats").fill("10");
  await expect(page.getByTestId("plan-size")).toContainText("2800 cells exceed the limit");
  await expect(page.getByRole("button", { name: "Save plan" })).toBeDisabled();
});

test("a mesh of 50 endpoints is a grid of 2,450 cells that loads quickly and works by keyboard", async ({
  page,
}) => {
  const hosts = Array.from({ length: 50 }, (_, at) => `n${at + 1}`);
  const pairs = hosts.flatMap((sender) =>
    hosts.filter((receiver) => receiver !== sender).map((receiver) => ({ sender, receiver })),
  );
  const cells = pairs.map((pair, index) => ({
    ...pair,
    rate: pair.receiver === "n7" ? 96e6 : 700e6,
    cells: [index],
    states: ["done"],
    verdict: "medium_limited",
  }));
  const sentence = "n7 receives slowly.";
  const since = new Date().toISOString();
  await page.route("**/api/v1/test-grids/999999", (route) =>
    route.fulfill({
      json: {
        id: 999_999,
        name: "fifty",
        kind: "test-grid",
        site: "",
        state: "done",
        since,
        age_s: 1,
        plan_id: 1,
        run: "1",
        hosts,
        cells,
        usual: 700e6,
        sentence,
        suspects: [{ host: "n7", side: "receives", rate: 96e6, peer: "", sentence }],
        url: "/tests/grids/999999",
      },
    }),
  );
  await page.goto("/tests/grids/999999");
  const grid = page.getByRole("grid", { name: "Grid of fifty" });
  // Takes half a second on an idle machine; the limit is for a busy one.
  await expect(grid.locator("[data-cell]").first()).toBeVisible({ timeout: 5000 });
  await expect(grid.locator("[data-cell]")).toHaveCount(2450, { timeout: 5000 });
  await grid.locator('[data-cell="n1~n2"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/pair=n1(~|%7E)n3/);
});
