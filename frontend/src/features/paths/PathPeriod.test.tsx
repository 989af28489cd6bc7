import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { PathHistory } from "@/api/types";
import { Theme } from "@/Theme";
import { PathPeriod } from "./PathPeriod";

const server = setupServer();
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const [START, END] = ["2026-05-01T10:00:00Z", "2026-05-01T11:00:00Z"];
const PATHS = [
  { id: 7, node: "sp07", prefix: "0.0.0.0/0" },
  { id: 3, node: "sp03", prefix: "0.0.0.0/0" },
];

const history = (path_id: number): PathHistory => ({
  path_id,
  since: START,
  until: END,
  segments: [
    { start: START, end: END, state: "preferred", gateway: "grf1", on_fallback: false, outage_ms: null },
  ],
  switches: [],
  outages: [],
});

function open(found: PathHistory[]): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/v1/paths/timelines", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(found);
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <PathPeriod site="argonne" paths={PATHS} range={{ from: START, to: END }} />
      </QueryClientProvider>
    </Theme>,
  );
  return asked;
}

it("draws the paths in the given order, in one request", async () => {
  const asked = open([history(3), history(7)]);
  const list = await screen.findByRole("list", { name: "Gateways in use over time" });
  expect([...list.children].map((track) => track.getAttribute("data-node"))).toEqual(["sp07", "sp03"]);
  expect(asked.map((query) => query.getAll("path"))).toEqual([["7", "3"]]);
});

it("says that no history is stored", async () => {
  open([]);
  expect(await screen.findByText("No history is stored of this time.")).toBeDefined();
});
