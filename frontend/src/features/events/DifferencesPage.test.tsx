import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { SiteDifferences } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { DifferencesPage } from "./DifferencesPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const AT = "2026-11-21T12:00:00Z";
const SAME: SiteDifferences = {
  start: "2026-11-20T12:00:00Z",
  end: AT,
  known_since: "2026-09-01T00:00:00Z",
  headline: "Nothing is different.",
  opened: [],
  opened_total: 0,
  resolved: [],
  resolved_total: 0,
  passed: 0,
  nodes: [],
  nodes_total: 0,
  ports: [],
  ports_total: 0,
  paths: [],
  paths_total: 0,
  returned: 0,
  actions: [],
  actions_total: 0,
};

function show(found: Partial<SiteDifferences>, path = "/differences?from=now-1d") {
  const asked: string[] = [];
  server.use(
    http.get("*/api/v1/differences", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ ...SAME, ...found });
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <DifferencesPage />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  return asked;
}

it("lists only what is different, with both states and links", async () => {
  const port = { name: "grf1:ga030", before: "up", after: "down", at: AT, url: "/ports/3" };
  const paths = {
    policy: "sp-default",
    before: "grf1",
    after: "atmgw",
    paths: 62,
    nodes: ["sp01", "sp02"],
    at: AT,
    url: "/paths?policy=sp-default",
  };
  const asked = show({ ports: [port], ports_total: 240, paths: [paths], paths_total: 62, returned: 2 });
  const ports = await screen.findByRole("table", { name: "Ports" });
  expect(within(ports).getByRole("link", { name: "grf1:ga030" }).getAttribute("href")).toContain("/ports/3");
  expect(within(ports).getAllByRole("row")[1]?.textContent).toContain("updown");
  expect(screen.getByText("first 1 of 240")).toBeDefined();
  const moved = screen.getByRole("table", { name: "Paths" });
  expect(within(moved).getByText("sp01, sp02 …")).toBeDefined();
  expect(screen.queryByRole("table", { name: "Nodes" })).toBeNull();
  expect(screen.getByText(/as before: 2 objects/)).toBeDefined();
  expect(asked[0]).toContain("start=now-1d");
});

it("says that nothing is different, and from when on events are kept", async () => {
  show({ known_since: "2026-11-21T00:00:00Z" });
  expect(await screen.findByText("Nothing is different.", { selector: "p,h2,h3,div,strong" })).toBeDefined();
  expect(screen.getByText(/Events before .* are removed/)).toBeDefined();
});

it("names a failed request", async () => {
  show({});
  server.use(
    http.get("*/api/v1/differences", () =>
      HttpResponse.json(
        { code: "unavailable", message: "The database is restarting.", fields: {} },
        { status: 503 },
      ),
    ),
  );
  expect(await screen.findByText(/The database is restarting/)).toBeDefined();
});
