import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { beforeEach, expect, it } from "vitest";
import { useColumnLayout } from "@/api/useListPage";
import { sessionQuery } from "@/api/queries";

beforeEach(() => localStorage.clear());

function open(path: string, { list = "links", person = "ada" } = {}) {
  const queries = new QueryClient();
  queries.setQueryData(sessionQuery.queryKey, { username: person } as never);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
    </QueryClientProvider>
  );
  return renderHook(() => ({ ...useColumnLayout(list), search: useLocation().search }), { wrapper }).result;
}

it("writes the remembered layout into the URL, for the same person and list only", () => {
  const first = open("/links");
  expect(first.current.text).toBe("");
  act(() => first.current.set("name.state*"));
  expect(first.current.search).toBe("?columns=name.state*");
  expect(open("/links?state=ok").current).toMatchObject({
    text: "name.state*",
    search: "?state=ok&columns=name.state*",
  });
  expect(open("/links", { person: "bob" }).current).toMatchObject({ text: "", search: "" });
  expect(open("/devices", { list: "nodes" }).current).toMatchObject({ text: "", search: "" });
});

it("prefers the layout of a link, and does not remember it", () => {
  const chosen = open("/links");
  act(() => chosen.current.set("name"));
  expect(open("/links?columns=name.fabric").current.text).toBe("name.fabric");
  expect(open("/links?columns=default").current.text).toBe("default");
  expect(open("/links").current.text).toBe("name");
});

it("forgets the layout on reset", () => {
  const chosen = open("/links");
  act(() => chosen.current.set("name"));
  const list = open("/links");
  act(() => list.current.set(""));
  expect(list.current).toMatchObject({ text: "", search: "" });
  expect(open("/links").current.text).toBe("");
});
