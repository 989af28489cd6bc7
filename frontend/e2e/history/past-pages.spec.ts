// The overview and the list of devices at the end of a past range; it cuts nothing and only reads.
import { api, axeFindings, expect, picture, settled, test, type List } from "../support/fixtures.ts";

interface Past {
  headline: string;
  tiles: { kind: string; total: number }[];
  not_kept: string[];
}

interface Node {
  name: string;
  state: string;
}

/** The range counts as past when its end is a minute old; a site that was just started was not measured then. */
const AGO_MS = 90_000;

function range(): { at: string; query: string } {
  const end = Date.now() - AGO_MS;
  const at = new Date(end).toISOString();
  const from = new Date(end - 1_800_000).toISOString();
  return { at, query: `from=${encodeURIComponent(from)}&to=${encodeURIComponent(at)}` };
}

test("the overview of a past range has the numbers of its moment and names what is not kept", async ({
  page,
}) => {
  const { at, query } = range();
  const present: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/v1/overview" || pathname === "/api/v1/topology") present.push(pathname);
  });
  await page.goto(`/?${query}`);
  await settled(page);
  const start = encodeURIComponent(new Date(Date.parse(at) - 1_800_000).toISOString());
  const then = await api<Past>(page, `overview/past?at=${encodeURIComponent(at)}&start=${start}`);
  await expect(page.getByTestId("past-banner")).toContainText("State at");
  await expect(page.getByTestId("headline")).toHaveText(then.headline);
  for (const { kind, total } of then.tiles)
    await expect(page.getByTestId(`tile-${kind}`)).toHaveAttribute("data-total", String(total));
  for (const name of then.not_kept) await expect(page.getByTestId("tile-not-kept")).toContainText(name);
  await expect(page.getByTestId("as-of")).toHaveCount(0);
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, "past-overview");
  expect(present, "nothing of the present is requested").toEqual([]);
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect(page.getByTestId("as-of")).toBeVisible();
});

test("the list of devices of a past range has the states of its moment", async ({ page }) => {
  const { at, query } = range();
  await page.goto(`/devices?${query}`);
  await settled(page);
  const { items } = await api<List<Node>>(page, `nodes?limit=500&at=${encodeURIComponent(at)}`);
  const known = items.filter(({ state }) => state !== "unknown").length;
  await expect(page.getByTestId("past-banner")).toContainText("State at");
  await expect(page.getByTestId("headline")).toContainText(
    known === items.length ? `All ${known} devices were measured.` : known === 0 ? "None of" : `${known} of`,
  );
  await expect(page.getByRole("table").getByText("not kept").first()).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, "past-devices");
});
