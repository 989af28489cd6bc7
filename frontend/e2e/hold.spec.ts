// A hold from a node's page: the node confirms it, every page shows it, and it is ended early.
import { api, expect, settled, test, type List } from "./support/fixtures.ts";
import { hasLab } from "./support/lab.ts";

const NODE = "sp07";
const CONFIRMED_MS = 60_000;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

interface Row {
  id: number;
  name: string;
}

test("a held node is shown on its page, on the paths and on the overview until the hold is ended", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const { items } = await api<List<Row>>(page, `nodes?q=${NODE}&limit=500`);
  const node = items.find(({ name }) => name === NODE);
  expect(node).toBeDefined();
  await page.goto(`/devices/${node?.id}`);
  await settled(page);
  const hold = page.getByTestId("hold");
  await hold.getByLabel("Duration").selectOption("600");
  await hold.getByLabel("Reason").fill("card swap");
  await hold.getByRole("button", { name: `Hold ${NODE}` }).click();
  await expect(hold).toContainText(new RegExp(`${NODE} is held until .*\\d\\d:\\d\\d UTC by `), {
    timeout: CONFIRMED_MS,
  });
  await expect(hold).toContainText("card swap");

  await page.goto("/paths?policy=sp-static&view=nodes");
  await settled(page);
  const table = page.getByRole("table", { name: "Paths", exact: true });
  await expect(table.getByRole("row").filter({ hasText: NODE })).toContainText("held until");

  await page.goto("/");
  await settled(page);
  await expect(page.getByText(/1 node held/)).toBeVisible({ timeout: CONFIRMED_MS });

  await page.goto(`/devices/${node?.id}`);
  await settled(page);
  await expect(page.getByRole("list", { name: `Events of ${NODE}` })).toContainText(
    "requested a hold for 10 min",
  );
  await hold.getByRole("button", { name: "End the hold" }).click();
  await expect(hold).toContainText("Not held", { timeout: CONFIRMED_MS });
});
