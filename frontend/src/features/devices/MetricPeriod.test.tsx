import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { FigureHistory } from "@/api/types";
import { Theme } from "@/Theme";
import { rangeOf } from "@/ui/chart/curves";
import { curvesOf, MetricPeriod } from "./MetricPeriod";

// jsdom has no canvas.
vi.mock("uplot", () => ({
  default: class {
    setSize(): void {}
    destroy(): void {}
  },
}));

const server = setupServer();
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const HISTORY: FigureHistory = {
  metric: "entity.temperature",
  subject: "temp1",
  title: "Temperature",
  unit: "°C",
  kind: "level",
  per_second: false,
  step_s: 60,
  at: [0, 60, 120],
  mean: [58, null, 61],
  min: [58, null, 60],
  max: [58, null, 62.5],
  p95: 61,
  level: "samples",
  coverage: 0.7,
  p95_exact: true,
};

function open(history: FigureHistory): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/v1/nodes/10/metrics/history", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(history);
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <MetricPeriod
            node={10}
            metric="entity.temperature"
            subject="temp1"
            name="Temperature of temp1"
            threshold={60}
            range={{ from: "2026-05-01T10:00:00Z", to: "2026-05-01T11:00:00Z" }}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  return asked;
}

it("draws the metric of that time with its limit, and lists the same values", async () => {
  const asked = open(HISTORY);
  const chart = await screen.findByRole("img", { name: /^Temperature of temp1: / });
  expect(chart.getAttribute("aria-label")).toBe(
    "Temperature of temp1: mean at most 61 °C; maximum at most 62.5 °C. Limit 60 °C. The table lists every value.",
  );
  expect(asked[0]?.get("start")).toBe("2026-05-01T10:00:00Z");
  fireEvent.click(screen.getByText("table"));
  const rows = within(screen.getByRole("table", { name: "Temperature of temp1" })).getAllByRole("row");
  expect(rows.map((row) => row.textContent?.includes("no value"))).toEqual([false, false, true, false]);
});

it("says that no value is stored", async () => {
  open({ ...HISTORY, mean: [null, null, null], max: [null, null, null] });
  expect(await screen.findByText("No value is stored of this time.")).toBeDefined();
});

it("shows values below zero, and an axis for nothing but zeros", () => {
  const low = curvesOf({ ...HISTORY, mean: [-12, null, -3], max: [-12, null, -3] }, -10);
  const [least, most] = rangeOf(low);
  expect(least).toBeLessThan(-12);
  expect(most).toBe(0);
  expect(low.lines).toHaveLength(1);
  expect(rangeOf(curvesOf({ ...HISTORY, mean: [0, 0, 0], max: [0, 0, 0] }, null))).toEqual([0, 1]);
});

it("shows a counter per second", () => {
  const { measure } = curvesOf({ ...HISTORY, unit: "errors", per_second: true }, 5);
  expect(measure?.format(3)).toBe("3 errors/s");
});

it("marks incidents, failovers, changes and tests of the device in that time", async () => {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/v1/sites", () => HttpResponse.json({ items: [{ name: "lab", last_reported_at: null }] })),
    http.get("*/api/v1/annotations", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const mark = { at: "1970-01-01T00:01:00Z", kind: "incident", state: "critical", text: "grf1 is down" };
      return HttpResponse.json({ items: [{ ...mark, url: "/incidents/7" }], is_whole: true });
    }),
  );
  open(HISTORY);
  const link = await screen.findByRole("link", { name: /^Incident at .*: grf1 is down$/ });
  expect(link.getAttribute("href")).toContain("/incidents/7");
  expect(asked[0]?.getAll("node_id")).toEqual(["10"]);
  expect(asked[0]?.get("start")).toBe("2026-05-01T10:00:00Z");
});
