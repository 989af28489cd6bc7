import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { nodesList, sitesQuery } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import { SITE } from "@/mocks/network";

const COLUMNS = [{ id: "name", sortable: true }] as const;
const requested: URLSearchParams[] = [];
let next: string | null = null;

beforeEach(() => {
  requested.length = 0;
  next = null;
  vi.stubGlobal("fetch", (request: Request) => {
    requested.push(new URL(request.url).searchParams);
    return Promise.resolve(Response.json({ items: [{ name: "sp01" }, { name: "sp02" }], next }));
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(path: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  queries.setQueryData(sitesQuery.queryKey, [{ ...SITE, last_reported_at: null, confirming: 0 }]);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
    </QueryClientProvider>
  );
  const options = { columns: COLUMNS, sort: "name", filters: { state: "" } };
  return renderHook(() => useListPage(nodesList, options), { wrapper }).result;
}

const describeRows = (rows: readonly unknown[]) => `${rows.length} nodes.`;

it("requests a filtered and sorted list once, and counts its matches in the headline", async () => {
  const list = open("/devices?state=critical&sort=-name");
  await waitFor(() => expect(list.current.query.data).toHaveLength(2));
  expect(list.current.headline(describeRows)).toBe("2 matches.");
  expect(requested.map((query) => [query.get("state"), query.get("sort")])).toEqual([["critical", "-name"]]);
});

it("describes the whole list in the headline, and only the loaded rows if there are more", async () => {
  const whole = open("/devices");
  await waitFor(() => expect(whole.current.headline(describeRows)).toBe("2 nodes."));
  next = "cursor";
  const part = open("/devices?sort=-name");
  await waitFor(() => expect(part.current.headline(describeRows)).toBe("Of the first 2: 2 nodes."));
  const matches = open("/devices?q=sp");
  await waitFor(() => expect(matches.current.headline(describeRows)).toBe("More than 2 matches."));
});

it("asks for the first rows, and soon once for the page after them", async () => {
  next = "cursor";
  const list = open("/devices");
  await waitFor(() => expect(list.current.query.data).toHaveLength(2));
  expect(requested.map((query) => query.get("limit"))).toEqual(["100"]);
  next = null;
  await waitFor(() => expect(list.current.query.data).toHaveLength(4), { timeout: 5000 });
  expect(requested.map((query) => [query.get("limit"), query.get("cursor")])).toEqual([
    ["100", null],
    ["500", "cursor"],
  ]);
  expect(list.current.headline(describeRows)).toBe("4 nodes.");
});
