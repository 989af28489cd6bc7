// Real traffic saturates a link: one incident on the right link and direction, which clears.
import {
  api,
  expect,
  picture,
  settled,
  test,
  type ApiIncident,
  type ApiLink,
  type List,
} from "./support/fixtures.ts";
import { hasLab, traffic } from "./support/lab.ts";

const LINK = "grf1:ga030-origin1:at0";
const SECONDS = 30;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

test("filling sp01 to origin1 raises exactly one saturation incident, on the right link and direction, and it clears", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const saturated = async () =>
    (await api<List<ApiIncident>>(page, "incidents?kind=saturation&phase=current&limit=100")).items;
  const { items: links } = await api<List<ApiLink>>(page, "links?limit=500");
  const link = links.find(({ name }) => name === LINK);
  expect(link, LINK).toBeDefined();
  await page.goto("/incidents");
  await settled(page);
  const began = traffic("sp01", "origin1", 60, SECONDS);
  try {
    const line = page.locator('[data-kind="saturation"]');
    await expect(line).toHaveCount(1, { timeout: 20_000 });
    await expect(line).toContainText("origin1");
    const [incident, ...others] = await saturated();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      link_id: link?.id,
      direction: link?.source.node === "grf1" ? "forward" : "back",
    });
    await picture(page, "saturation-incident");
    await page.goto("/");
    await expect(page.getByTestId("tile-nearly_full")).toContainText("origin1");
    await picture(page, "saturation-overview");
    await page.goto(`/map?sel=link:${link?.id}`);
    await settled(page);
    await expect(page.locator(`[data-link-id="${link?.id}"]`)).toHaveAttribute("data-state", "warning");
    await picture(page, "saturation-map");
  } finally {
    if (began.exitCode === null) await new Promise((resolve) => began.once("exit", resolve));
  }
  await expect(async () => expect(await saturated()).toEqual([])).toPass({ timeout: 30_000 });
  await page.goto("/incidents");
  await expect(page.locator('[data-kind="saturation"]')).toHaveCount(0);
});
