import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, it } from "vitest";
import { carry, useParam, useRange } from "@/api/scope";

it("carries site and time range to the next page, and nothing else", () => {
  expect(carry("/links", "?from=now-6h&site=argonne&q=grf")).toBe("/links?site=argonne&from=now-6h");
  expect(carry("/links?sort=-utilisation", "?to=x")).toBe("/links?sort=-utilisation&to=x");
});

it("lets the target name its own", () => expect(carry("/events?from=now-7d", "?from=now-6h")).toBe("/events?from=now-7d"));

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
  const { result } = renderHook(() => ({ range: useRange(), search: useLocation().search }), { wrapper: inside("/links?q=x") });
  expect(result.current.range[0]).toEqual({ from: "now-1h", to: "now" });
  act(() => result.current.range[1]({ from: "now-6h", to: "now" }));
  expect(result.current.search).toBe("?q=x&from=now-6h");
  act(() => result.current.range[1]({ from: "now-1h", to: "now" }));
  expect(result.current.search).toBe("?q=x");
});

it("stores a filter in the URL and removes it at its default", () => {
  const { result } = renderHook(() => ({ param: useParam("state", ""), search: useLocation().search }), { wrapper: inside("/links?from=now-6h") });
  act(() => result.current.param[1]("critical"));
  expect(result.current.search).toBe("?from=now-6h&state=critical");
  act(() => result.current.param[1](""));
  expect(result.current.search).toBe("?from=now-6h");
});
