// Map, links, paths and device page agree on a gateway that does not forward; `make bench-truth` covers other faults.
import { api, expect, picture, settled, test, type List } from "./support/fixtures.ts";
import { hasLab, lab, restoreGrf1 } from "./support/lab.ts";

interface ApiPath {
  node: string;
  policy: string;
  placement: string;
  end_to_end: string;
  standby: string;
  gateways: { name: string; use: string }[];
}
interface ApiLink {
  id: number;
  name: string;
  state: string;
  carrier: string;
  carries: string;
}
interface ApiNode {
  id: number;
  name: string;
  gateway: { role: string; text: string } | null;
}

const POLICY = "sp-default";
const LINK = /^grf1:ga030-/;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

test.afterEach(async ({ page }) => {
  await restoreGrf1(page);
});

/** Carriers and state of grf1's link, and uses and roles of grf1: BFD does not detect that it drops packets. */
const EXPECTED = {
  carriers: ["up"],
  state: "ok",
  uses: ["dead", "standby_dead"],
  roles: ["not_forwarding", "degraded"],
};

test("blackhole grf1: map, links, paths and device agree, and no path through it looks like a standby", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const paths = async () => (await api<List<ApiPath>>(page, `paths?policy=${POLICY}&limit=100`)).items;
  const links = async () => (await api<List<ApiLink>>(page, "links?limit=100")).items;
  await page.goto("/paths?view=nodes");
  await settled(page);
  await expect(async () => {
    expect(new Set((await paths()).map(({ end_to_end }) => end_to_end))).toEqual(new Set(["working"]));
  }).toPass({ timeout: 60_000 });

  await lab("blackhole", "grf1");
  await expect(async () => {
    for (const { gateways } of await paths())
      expect(EXPECTED.uses).toContain(gateways.find(({ name }) => name === "grf1")?.use);
    const link = (await links()).find(({ name }) => LINK.test(name));
    expect(EXPECTED.carriers).toContain(link?.carrier);
    expect(link?.state).toBe(EXPECTED.state);
  }).toPass({ timeout: 60_000 });

  const known = new Map((await paths()).map((path) => [path.node, path]));
  await page.goto(`/paths?policy=${POLICY}&view=nodes`);
  await settled(page);
  for (const [node, path] of known) {
    const row = page.locator(`table[aria-label="Paths"] tr[data-policy="${POLICY}"][data-node="${node}"]`);
    await expect(row).toHaveAttribute("data-end-to-end", path.end_to_end);
    const use = path.gateways.find(({ name }) => name === "grf1")?.use ?? "";
    const cell = row.locator('[data-fact="gateway_use"]').first();
    await expect(cell).toHaveAttribute("data-value", use);
    await expect(cell).toContainText(use.replaceAll("_", " "));
  }
  await picture(page, "states-blackhole-paths");

  const link = (await links()).find(({ name }) => LINK.test(name));
  await page.goto("/map");
  await settled(page);
  const drawn = page.locator(`[data-link-id="${link?.id}"]`);
  await expect(drawn).toHaveAttribute("data-carrier", link?.carrier ?? "", { timeout: 10_000 });
  await expect(drawn).toHaveAttribute("data-state", EXPECTED.state);
  await expect(drawn).toHaveAttribute("data-carries", link?.carries ?? "");
  await picture(page, "states-blackhole-map");

  await page.goto(`/links/${link?.id}`);
  await settled(page);
  await expect(page.locator('[data-fact="carrier"]')).toHaveAttribute("data-value", link?.carrier ?? "");
  await expect(page.locator('[data-fact="link_use"]')).toHaveAttribute("data-value", link?.carries ?? "");
  await page.goto("/links");
  await settled(page);
  await picture(page, "states-blackhole-links");

  const grf1 = (await api<List<ApiNode>>(page, "nodes?gateway=true&limit=100")).items.find(
    ({ name }) => name === "grf1",
  );
  expect(EXPECTED.roles).toContain(grf1?.gateway?.role);
  await page.goto(`/devices/${grf1?.id}`);
  await settled(page);
  // Of the role in paths and of the facts.
  const roles = page.locator('[data-fact="gateway_role"]');
  await expect(roles).toHaveCount(2);
  for (const role of await roles.all())
    await expect(role).toHaveAttribute("data-value", grf1?.gateway?.role ?? "");
  await picture(page, "states-blackhole-device");
});
