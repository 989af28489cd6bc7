import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { describe, expect, it } from "vitest";
import { carry, siteOf, useParam, useRange } from "@/api/scope";
import type { SiteListed } from "@/api/types";

it("carries site and time range to the next page, and nothing else", () => {
  expect(carry("/links", "?from=now-6h&site=argonne&q=grf")).toBe("/links?site=argonne&from=now-6h");
  expect(carry("/links?sort=-utilisation", "?to=x")).toBe("/links?sort=-utilisation&to=x");
});

it("keeps parameters that the target sets itself", () =>
  expect(carry("/events?from=now-7d", "?from=now-6h")).toBe("/events?from=now-7d"));

function inside(path: string) {
  return function Inside({ children }: { children: ReactNode }) {
    return (
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
      </QueryClientProvider>
    );
  };
}

it("keeps a relative range relative in the URL and leaves no trace of the default", () => {
  const { result } = renderHook(() => ({ range: useRange(), search: useLocation().search }), {
    wrapper: inside("/links?q=x"),
  });
  expect(result.current.range[0]).toEqual({ from: "now-1h", to: "now" });
  act(() => result.current.range[1]({ from: "now-6h", to: "now" }));
  expect(result.current.search).toBe("?q=x&from=now-6h");
  act(() => result.current.range[1]({ from: "now-1h", to: "now" }));
  expect(result.current.search).toBe("?q=x");
});

it("stores a filter in the URL and removes it at its default", () => {
  const { result } = renderHook(() => ({ param: useParam("state", ""), search: useLocation().search }), {
    wrapper: inside("/links?from=now-6h"),
  });
  act(() => result.current.param[1]("critical"));
  expect(result.current.search).toBe("?from=now-6h&state=critical");
  act(() => result.current.param[1](""));
  expect(result.current.search).toBe("?from=now-6h");
});

describe("the site of a page", () => {
  const listed = (name: string, last_reported_at: string | null): SiteListed => ({
    id: 1,
    name,
    title: name,
    interval_s: 1,
    rate_scale: 1,
    imported_at: "2026-05-01T10:00:00Z",
    last_reported_at,
    confirming: 0,
  });
  const sites = [
    listed("argonne", "2026-04-30T12:00:00Z"),
    listed("casa", "2026-05-01T12:00:03Z"),
    listed("cern", "2026-05-01T12:00:04Z"),
    listed("sdsc", null),
  ];
  const nothing = { named: null, displayed: null, chosen: null };

  it.each([
    ["the one that the address names", { named: "sdsc", displayed: "casa", chosen: "argonne" }, "sdsc"],
    ["the one on screen, which stays", { ...nothing, displayed: "casa", chosen: "argonne" }, "casa"],
    ["the one chosen last, even when it is silent", { ...nothing, chosen: "argonne" }, "argonne"],
    ["the first of those with live data", nothing, "casa"],
    ["not one that is gone", { named: "gone", displayed: null, chosen: "gone too" }, "casa"],
  ])("is %s", (_case, hints, name) => expect(siteOf(sites, hints)?.name).toBe(name));

  it("is the first by name when none has reported, and none when there is none", () => {
    expect(siteOf([listed("argonne", null), listed("casa", null)], nothing)?.name).toBe("argonne");
    expect(siteOf([], nothing)).toBeUndefined();
  });
});
