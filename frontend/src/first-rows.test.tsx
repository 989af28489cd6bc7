/** Lists are requested before their pages are loaded: by the same query, so that the page does not ask again. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, waitFor } from "@testing-library/react";
import type { ComponentType } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prefetch } from "@/api/query-client";
import { sitesQuery } from "@/api/queries";
import { forgetSite, rememberDisplayed } from "@/api/site-memory";
import { DevicesPage } from "@/features/devices/DevicesPage";
import { LinksPage } from "@/features/links/LinksPage";
import { PathsPage } from "@/features/paths/PathsPage";
import { SITE } from "@/mocks/network";
import { makeRoutes } from "@/routes";
import { Theme } from "@/Theme";

const requested: string[] = [];

beforeEach(() => {
  requested.length = 0;
  rememberDisplayed(SITE.name);
  vi.stubGlobal("fetch", (request: Request) => {
    requested.push(new URL(request.url).pathname.replace("/api/v1/", ""));
    return Promise.resolve(Response.json({ items: [], next: null }));
  });
});
afterEach(() => {
  forgetSite();
  vi.unstubAllGlobals();
});

it.each<[string, ComponentType, string]>([
  ["/devices", DevicesPage, "nodes"],
  ["/devices?kind=host&q=sp", DevicesPage, "nodes"],
  ["/links", LinksPage, "links"],
  ["/links?fabric=hippi", LinksPage, "links"],
  ["/paths", PathsPage, "paths/groups"],
  ["/paths?view=nodes", PathsPage, "paths"],
  ["/paths?view=nodes&node=sp&policy=sp-default", PathsPage, "paths"],
])("asks once for the rows of %s", async (address, Page, list) => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 5000, retry: false } } });
  queries.setQueryData(sitesQuery.queryKey, [{ ...SITE, last_reported_at: null, confirming: 0 }]);
  prefetch(queries, new URL(address, "http://localhost"));
  const { container } = render(
    <QueryClientProvider client={queries}>
      <Theme>
        <MemoryRouter initialEntries={[address]}>
          <Page />
        </MemoryRouter>
      </Theme>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(container.textContent).toMatch(/No .* (match|defined)/));
  expect(requested.filter((path) => path === list)).toEqual([list]);
});

it("asks first who is signed in, which the page waits for", async () => {
  const app = makeRoutes(new QueryClient())[0]?.children?.find(({ path }) => path === "/");
  const load = app?.loader as (args: object) => Promise<unknown>;
  await load({ request: new Request("http://localhost/devices"), params: {} });
  expect(requested).toEqual(["session", "sites", "nodes"]);
});
