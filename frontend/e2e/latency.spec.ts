// Latency of the pages: from the first byte to the map, and from the route event of the kernel to the timeline.
import { api, expect, settled, test, type ApiLink, type List } from "./support/fixtures.ts";
import { hasLab, lab } from "./support/lab.ts";

const LINK = "grf1:ga030-origin1:at0";
const LOAD_MS = 5000;
const EVENT_MS = 1000;
const INCIDENT_MS = 5000;
/** The median is compared with the limit, so that a single busy moment of the machine does not fail the test. */
const TIMES = 3;
const middle = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.POSITIVE_INFINITY;

test.skip(!hasLab, "needs a running lab: BACKSTAY_LAB_STATE");

/** Writes a measurement to the log and the report. */
function report(what: string, values: number[]): void {
  const text = `${what}: ${values.map((figure) => `${Math.round(figure)} ms`).join(", ")}`;
  test.info().annotations.push({ type: "figure", description: text });
  console.log(text);
}

test("a change of load appears on the map within 5 s of the first byte", async ({ page }) => {
  test.setTimeout(90_000);
  const { items } = await api<List<ApiLink>>(page, "links?limit=500");
  const link = items.find(({ name }) => name === LINK);
  await page.goto("/map");
  await settled(page);
  const shown = page.locator(`[data-link-id="${link?.id}"]`);
  const towardsOrigin = link?.source.node === "grf1" ? "data-forward" : "data-back";
  const used = async () => Number(await shown.getAttribute(towardsOrigin));
  const found: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await expect(async () => expect(await used()).toBeLessThan(0.25)).toPass({ timeout: 20_000 });
    const flow = lab("traffic", "sp01", "origin1", "--mbps", "40", "--seconds", "6", "--json");
    await expect(async () => expect(await used()).toBeGreaterThan(0.3)).toPass({
      timeout: 15_000,
      intervals: [50],
    });
    const seen = Date.now();
    const { began_at } = JSON.parse(await flow) as { began_at: number };
    found.push(seen - began_at * 1000);
  }
  report("load to map", found);
  expect(middle(found)).toBeLessThan(LOAD_MS);
});

test("a cut is on the timeline within 1 s of the kernel event, and its root cause among the incidents within 5 s", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const count = async () => page.locator('[data-kind="path.switched"]').count();
  await page.goto("/events?view=flat&kind=path.switched&node=sp02");
  await settled(page);
  const inbox = await page.context().newPage();
  await inbox.goto("/incidents");
  await settled(inbox);
  const root = inbox.getByRole("list", { name: "Incidents" }).getByText(/^grf1 lost all links/);
  const events: number[] = [];
  const incidents: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const before = await count();
    try {
      const opened = root.waitFor({ timeout: 20_000 }).then(() => Date.now());
      await lab("cut", "grf1");
      const seen = await page.waitForFunction(
        (n) => document.querySelectorAll('[data-kind="path.switched"]').length > n && Date.now(),
        before,
        { polling: 20, timeout: 10_000 },
      );
      const { items } = await api<List<{ since: string }>>(
        page,
        "events?kind=path.switched&node=sp02&limit=1",
      );
      const began = Date.parse(items[0]?.since ?? "");
      events.push(Number(await seen.jsonValue()) - began);
      incidents.push((await opened) - began);
    } finally {
      await lab("restore", "grf1");
    }
    await expect(async () => expect(await count()).toBeGreaterThan(before + 1)).toPass({ timeout: 60_000 });
    await expect(root).toHaveCount(0, { timeout: 60_000 });
  }
  report("route event to timeline", events);
  report("route event to critical incident", incidents);
  expect(middle(events)).toBeLessThan(EVENT_MS);
  expect(middle(incidents)).toBeLessThan(INCIDENT_MS);
});
