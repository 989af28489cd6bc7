import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { useEffect } from "react";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Theme } from "@/Theme";
import { handlers } from "@/mocks/handlers";
import { incidents } from "@/mocks/incidents";
import { overview } from "@/mocks/overview";
import { currentWallboard } from "@/mocks/wallboards";
import { reloadScreen } from "./restart";
import { WallboardView, type WallboardParts } from "./WallboardView";

vi.mock("./restart", () => ({ reloadScreen: vi.fn<() => boolean>(() => true) }));

const server = setupServer(...handlers);
const authorized = new Set<string | null>();
let stream: ReadableStreamDefaultController<Uint8Array> | undefined;

/** Every request of the wall, by path; the live stream stays open until the test ends it. */
let asked: string[] = [];

const caches = new Set<QueryClient>();

function Tiles({ number }: { number: number }) {
  const cache = useQueryClient();
  useEffect(() => {
    caches.add(cache);
  }, [cache]);
  return <p>{number} tiles</p>;
}

const parts: WallboardParts = {
  tiles: ({ tiles }) => <Tiles number={tiles.length} />,
  fallbacks: ({ policies }) => <p>{policies.length} policies</p>,
  map: (site) => <p>map of {site}</p>,
  links: (_site, links) => <p>{links.length} links</p>,
};

beforeAll(() => server.listen());
beforeEach(() => {
  asked = [];
  authorized.clear();
  server.events.on("request:start", ({ request }) => {
    asked.push(new URL(request.url).pathname);
    authorized.add(request.headers.get("Authorization"));
  });
  server.use(
    http.get("*/api/v1/live", () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = controller;
          send("hello");
        },
      });
      return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } });
    }),
    http.get("*/api/v1/overview", () => HttpResponse.json(overview(Date.now(), "cut"))),
    http.get("*/api/v1/incidents", () =>
      HttpResponse.json({
        items: incidents(Date.now(), "cut", new URLSearchParams("phase=current")),
        next: null,
      }),
    ),
  );
});
afterEach(() => {
  server.resetHandlers();
  server.events.removeAllListeners();
  vi.useRealTimers();
});
afterAll(() => server.close());

function send(type: string, nouns: string[] = []): void {
  const data = JSON.stringify({ type, site: "argonne", at: new Date().toISOString(), links: [], nouns });
  stream?.enqueue(new TextEncoder().encode(`event: ${type}\ndata: ${data}\n\n`));
}

function openWall(hash = "#bsw_secret") {
  return render(
    <Theme>
      <MemoryRouter initialEntries={[`/wall${hash}`]}>
        <WallboardView parts={parts} />
      </MemoryRouter>
    </Theme>,
  );
}

const refuse = (message: string) =>
  server.use(
    http.all("*/api/v1/*", () =>
      HttpResponse.json({ code: "unauthenticated", message, fields: {} }, { status: 401 }),
    ),
  );

it("shows the headline, the urgent incidents with their owners, and the age of the data", async () => {
  openWall();
  const expected = overview(Date.now(), "cut").headline;
  await waitFor(() => expect(screen.getByTestId("wall-headline").textContent).toBe(expected));
  const list = await screen.findByRole("region", { name: "Most urgent incidents" });
  expect(list.querySelectorAll("li").length).toBeGreaterThan(0);
  expect(list.querySelectorAll("li").length).toBeLessThanOrEqual(5);
  expect(list.textContent).toContain("since");
  expect(list.textContent).toContain("no owner");
  expect(screen.getByTestId("wall-age").textContent).toMatch(/data \d+ s old/);
  expect(screen.queryByTestId("wall-fault")).toBeNull();
});

it("sends the token in a header and asks only what a wallboard may ask", async () => {
  openWall();
  await screen.findByText("5 tiles");
  await waitFor(() => expect(asked).toContain("/api/v1/live"));
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"])
    fireEvent.keyDown(window, { key });
  await screen.findByText(/\d links/);
  expect([...authorized]).toEqual(["Bearer bsw_secret"]);
  expect(asked.filter((path) => path.includes("bsw_"))).toEqual([]);
  expect(new Set(asked)).toEqual(
    new Set(
      ["wallboards/current", "overview", "incidents", "paths", "live"].map((path) => `/api/v1/${path}`),
    ),
  );
});

it("rotates, and space and arrows control it", async () => {
  server.use(
    http.get("*/api/v1/wallboards/current", () =>
      HttpResponse.json(currentWallboard({ pages: ["overview", "map"], seconds: 5 })),
    ),
  );
  openWall();
  await screen.findByText("5 tiles");
  await screen.findByText("map of argonne");
  await screen.findByText("5 tiles");
  fireEvent.keyDown(window, { key: " " });
  expect(screen.getByRole("button", { name: /Paused/ })).toBeTruthy();
  vi.useFakeTimers();
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.queryByText("map of argonne")).toBeNull();
  vi.useRealTimers();
  fireEvent.keyDown(window, { key: "ArrowRight" });
  await screen.findByText("map of argonne");
});

it("a refused link says why, shows nothing else, and is found out when the stream ends", async () => {
  openWall();
  await screen.findByText("5 tiles");
  await waitFor(() => expect(stream).toBeDefined());
  refuse("This wallboard was revoked.");
  stream?.close();
  const refused = await screen.findByTestId("wall-refused");
  expect(refused.textContent).toContain("This wallboard was revoked.");
  expect(screen.queryByTestId("wall-headline")).toBeNull();
});

it("an address without a token says so and asks nothing", () => {
  openWall("");
  expect(screen.getByTestId("wall-refused").textContent).toContain("incomplete");
  expect(asked).toEqual([]);
});

it("marks old data unmistakably and recovers by itself", async () => {
  openWall();
  await screen.findByText("5 tiles");
  server.use(http.all("*/api/v1/*", () => HttpResponse.error()));
  stream?.close();
  const fault = await screen.findByTestId("wall-fault", {}, { timeout: 25_000 });
  expect(fault.textContent).toContain("Connection lost");
  expect(screen.getByText("5 tiles")).toBeTruthy();
  server.resetHandlers();
  server.use(http.get("*/api/v1/live", () => new HttpResponse(null, { status: 503 })));
  await waitFor(() => expect(screen.queryByTestId("wall-fault")).toBeNull(), { timeout: 25_000 });
}, 60_000);

/** Intervals and listeners that are there now. */
function countHeld(): () => number {
  const intervals = new Set<unknown>();
  let listeners = 0;
  const [set, clear] = [globalThis.setInterval, globalThis.clearInterval];
  vi.spyOn(globalThis, "setInterval").mockImplementation(((...wanted: Parameters<typeof set>) => {
    const timer = set(...wanted);
    intervals.add(timer);
    return timer;
  }) as typeof set);
  vi.spyOn(globalThis, "clearInterval").mockImplementation((timer) => {
    intervals.delete(timer);
    clear(timer);
  });
  const [add, remove] = [window.addEventListener.bind(window), window.removeEventListener.bind(window)];
  vi.spyOn(window, "addEventListener").mockImplementation((...wanted: Parameters<typeof add>) => {
    listeners += 1;
    add(...wanted);
  });
  vi.spyOn(window, "removeEventListener").mockImplementation((...wanted: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...wanted);
  });
  return () => intervals.size + listeners;
}

it("holds no more after a hundred rounds than after the first", async () => {
  caches.clear();
  const held = countHeld();
  openWall();
  await screen.findByText("5 tiles");
  const round = async () => {
    for (let page = 0; page < 5; page += 1) fireEvent.keyDown(window, { key: "ArrowRight" });
    send("changed", ["incidents", "paths"]);
    // Each round begins when the previous one is drawn.
    // oxlint-disable-next-line no-await-in-loop
    await screen.findByText("5 tiles");
  };
  await round();
  const size = () => [...caches].reduce((sum, cache) => sum + cache.getQueryCache().getAll().length, 0);
  const [queries, first, elements] = [size(), held(), document.querySelectorAll("*").length];
  for (let number = 0; number < 100; number += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await round();
  }
  expect(size()).toBe(queries);
  expect(held()).toBe(first);
  expect(document.querySelectorAll("*").length).toBeLessThanOrEqual(elements + 5);
});

it("reloads when the server has another build", async () => {
  let build = "one";
  server.use(http.get("*/api/v1/wallboards/current", () => HttpResponse.json(currentWallboard({ build }))));
  openWall();
  await screen.findByText("5 tiles");
  expect(reloadScreen).not.toHaveBeenCalled();
  build = "two";
  send("changed", ["wallboards"]);
  await waitFor(() => expect(reloadScreen).toHaveBeenCalled(), { timeout: 15_000 });
});
