import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { prefetch } from "@/api/query-client";
import { forgetSite, rememberDisplayed } from "@/api/site-memory";

const asked: string[] = [];

function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("fetch", (request: Request) => {
    asked.push(request.url.replace(/^.*\/api\/v1\//, ""));
    return new Promise<Response>(() => undefined);
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = (address: string): void => prefetch(new QueryClient(), new URL(address, "http://localhost"));

it("requests the named or last shown site and its topology at once", async () => {
  rememberDisplayed("karlsruhe");
  open("/map");
  open("/map?site=casa");
  await vi.waitFor(() =>
    expect(asked.toSorted()).toEqual(["sites", "sites", "topology?site=casa", "topology?site=karlsruhe"]),
  );
});

it("requests only what the page shows", async () => {
  rememberDisplayed("karlsruhe");
  open("/drift");
  await vi.waitFor(() => expect(asked).toEqual(["sites"]));
});

it.each([
  ["/devices", "nodes", "limit=100&site=karlsruhe&sort=name"],
  ["/devices?kind=host&state=all", "nodes", "kind=host&limit=100&site=karlsruhe&sort=name"],
  ["/links?site=casa&q=rack", "links", "limit=100&q=rack&site=casa&sort=-utilisation"],
  ["/paths", "paths/groups", "limit=100&site=karlsruhe"],
  ["/paths?view=nodes&node=h1", "paths", "limit=100&q=h1&site=karlsruhe"],
])("requests the first rows of %s before the page is loaded", async (address, path, query) => {
  rememberDisplayed("karlsruhe");
  open(address);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const [found = "", parameters] = asked.find((one) => one !== "sites")?.split("?") ?? [];
  const params = new URLSearchParams(parameters);
  params.sort();
  expect([found, params.toString()]).toEqual([path, query]);
});

it("leaves the rows of a sorted list to its page, which knows its columns", async () => {
  rememberDisplayed("karlsruhe");
  open("/links?sort=-name");
  await vi.waitFor(() => expect(asked).toEqual(["sites"]));
});

it("requests the overview of the range, and not the topology of the whole site", async () => {
  rememberDisplayed("karlsruhe");
  open("/?from=now-6h");
  await vi.waitFor(() =>
    expect(asked.toSorted()).toEqual(["overview?site=karlsruhe&start=now-6h&end=now", "sites"]),
  );
});

it("does not request the present for a past range", async () => {
  rememberDisplayed("karlsruhe");
  open("/?from=now-2d&to=now-1d");
  open("/map?from=now-2d&to=now-1d");
  open("/links?from=now-2d&to=now-1d");
  await vi.waitFor(() => expect(asked).toEqual(["sites", "sites", "sites"]));
});

it("requests nothing for new or signed-out users", async () => {
  open("/map?site=casa");
  rememberDisplayed("karlsruhe");
  forgetSite();
  open("/map");
  rememberDisplayed("sdsc");
  open("/drift");
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
  expect(asked).toEqual(["sites"]);
});
