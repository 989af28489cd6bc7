import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sitesQuery } from "@/api/queries";
import type { Node } from "@/api/types";
import { nodesOut } from "@/mocks/inventory";
import { SITE } from "@/mocks/network";
import { Theme } from "@/Theme";
import { DevicesPage, pastDevicesHeadline } from "./DevicesPage";

const PAST = "from=2026-05-01T10:00:00Z&to=2026-05-01T11:00:00Z";
const [NODE] = nodesOut("normal") as [Node];
const THEN: Node = {
  ...NODE,
  state: "unknown",
  state_text: "not measured at that time",
  reporting: null,
  agent: null,
  uptime_s: null,
  clock_offset_s: null,
  clock_text: "",
};

const requested: URLSearchParams[] = [];

beforeEach(() => {
  requested.length = 0;
  vi.stubGlobal("fetch", (request: Request) => {
    const url = new URL(request.url);
    if (!url.pathname.endsWith("/nodes")) return Promise.resolve(Response.json({ items: [], next: null }));
    requested.push(url.searchParams);
    return Promise.resolve(Response.json({ items: [THEN], next: null }));
  });
});
afterEach(() => vi.unstubAllGlobals());

async function cellsOf(url: string): Promise<Map<string, string>> {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  queries.setQueryData(sitesQuery.queryKey, [{ ...SITE, last_reported_at: null, confirming: 0 }]);
  render(
    <QueryClientProvider client={queries}>
      <Theme>
        <MemoryRouter initialEntries={[url]}>
          <DevicesPage />
        </MemoryRouter>
      </Theme>
    </QueryClientProvider>,
  );
  const table = await screen.findByRole("table");
  const texts = (role: string, row: HTMLElement) =>
    [...row.querySelectorAll<HTMLElement>(role)].map(({ textContent }) => (textContent ?? "").trim());
  const [head, line] = within(table).getAllByRole("row") as [HTMLElement, HTMLElement];
  const cells = texts("th, td", line);
  return new Map(texts("th", head).map((name, at) => [name, cells[at] ?? ""]));
}

it("asks for the moment at which the range ends, and says what is not kept of it", async () => {
  const cells = await cellsOf(`/devices?${PAST}`);
  expect(requested.map((query) => query.get("at"))).toEqual(["2026-05-01T11:00:00.000Z"]);
  expect(["collected by", "uptime", "clock offset"].map((name) => cells.get(name))).toEqual(
    Array(3).fill("not kept"),
  );
  expect(cells.get("status")).toBe("not measured at that time");
  expect(screen.getByRole("banner").textContent).toContain("None of 1 device was measured at that time.");
});

it("does not sort a past moment by what is not kept", async () => {
  await cellsOf(`/devices?${PAST}&sort=-clock_offset`);
  expect(requested.map((query) => query.get("sort"))).toEqual(["name"]);
});

it("shows the present without a moment", async () => {
  const cells = await cellsOf("/devices");
  expect(requested.map((query) => query.get("at"))).toEqual([null]);
  expect(cells.get("collected by")).toBe("no agent");
});

it("says how many devices were measured, and which had an incident", () => {
  const ok: Node = { ...THEN, state: "ok" };
  const bad: Node = { ...THEN, name: "grf1", state: "critical" };
  expect(pastDevicesHeadline([ok, bad])).toBe("All 2 devices were measured. grf1 had an incident.");
  expect(pastDevicesHeadline([ok, bad, THEN])).toBe("2 of 3 devices measured. grf1 had an incident.");
});
