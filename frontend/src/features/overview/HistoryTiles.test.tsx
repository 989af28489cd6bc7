import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sitesQuery } from "@/api/queries";
import { SITE } from "@/mocks/network";
import { pastOverview } from "@/mocks/overview";
import { Theme } from "@/Theme";
import { OverviewPage } from "./OverviewPage";

const AT = "2026-05-01T11:00:00.000Z";
const START = "2026-05-01T10:00:00Z";
const THEN = pastOverview(AT, START);

const requested: URL[] = [];
const drawn: (string | null)[] = [];

beforeEach(() => {
  requested.length = 0;
  drawn.length = 0;
  vi.stubGlobal("fetch", (request: Request) => {
    const url = new URL(request.url);
    requested.push(url);
    return Promise.resolve(
      url.pathname.endsWith("/overview/past") ? Response.json(THEN) : new Response(null, { status: 503 }),
    );
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  queries.setQueryData(sitesQuery.queryKey, [{ ...SITE, last_reported_at: null, confirming: 0 }]);
  const miniMap = (_site: string, at: string | null) => {
    drawn.push(at);
    return null;
  };
  render(
    <QueryClientProvider client={queries}>
      <Theme>
        <MemoryRouter initialEntries={[`/?from=${START}&to=${AT}`]}>
          <OverviewPage miniMap={miniMap} />
        </MemoryRouter>
      </Theme>
    </QueryClientProvider>,
  );
  await screen.findByTestId("tile-failovers");
}

it("asks for the moment and the start of the range, and never for the present", async () => {
  await open();
  const asked = requested.filter(({ pathname }) => !pathname.endsWith("/ports/trends"));
  expect(asked.map(({ pathname }) => pathname)).toEqual(["/api/v1/overview/past"]);
  expect([asked[0]?.searchParams.get("at"), asked[0]?.searchParams.get("start")]).toEqual([AT, START]);
  expect(new Set(drawn)).toEqual(new Set([AT]));
  expect(screen.queryByTestId("as-of")).toBeNull();
});

it("shows the headline, the failovers with their time, and what is incomplete", async () => {
  await open();
  expect(screen.getByTestId("headline").textContent).toBe(THEN.headline);
  const failovers = screen.getByTestId("tile-failovers");
  expect(failovers.dataset["total"]).toBe("10");
  expect(failovers.textContent).toMatch(/grf1 → atmgw.*\d\d:30:00–\d\d:30:05: 10 paths of sp-default/);
  expect(screen.getByTestId("tile-outages").textContent).toMatch(/None recorded since/);
  expect(screen.getByTestId("lag-nearly_full").textContent).toBe("3 of 9 links measured at that time.");
});

it("names what history does not keep, and has no tile for it", async () => {
  await open();
  const tile = screen.getByTestId("tile-not-kept");
  expect(
    within(tile)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(THEN.not_kept);
  expect(screen.queryByTestId("tile-awaiting_confirmation")).toBeNull();
  expect(screen.queryByTestId("tile-fallbacks")).toBeNull();
});
