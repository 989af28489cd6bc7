import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { forecastChart, linkForecasts } from "@/mocks/models/capacity";
import { Theme } from "@/Theme";
import { ForecastPage } from "./ForecastPage";
import { curvesOf, fullOn, intervalText } from "./forecasts";
import { LinkForecastPage } from "./LinkForecastPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function show(url: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[url]}>
          <Routes>
            <Route path="/capacity/forecast" element={<ForecastPage />} />
            <Route path="/capacity/forecast/:id" element={<LinkForecastPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("shows dates with their interval, and a reason instead of numbers where the fit is poor", async () => {
  show("/capacity/forecast?site=argonne");
  const table = await screen.findByRole("table", { name: "Forecasts" });
  const [fills, later, poor] = within(table)
    .getAllByRole("row")
    .slice(1)
    .map(({ textContent }) => textContent);
  const [first] = linkForecasts(Date.now());
  expect(fills).toContain(`${first.earliest} to ${first.latest}`);
  expect(fills).toContain("3.1 %");
  expect(later).toContain("not within a year");
  expect(poor).toContain("no forecast: A forecast of the last 45 days was off by 83 %.");
  expect(poor).not.toMatch(/\d{4}-\d{2}-\d{2}/);
  await screen.findByText(/1 of 3 link directions will be full within a year, 1 without a forecast/);
});

it("lists the values of the chart, and names the back-test", async () => {
  show("/capacity/forecast/1?site=argonne");
  await screen.findByText(/was off by 3.1 % in the mean; the last value carried forward by 8.7 %/);
  fireEvent.click(screen.getByRole("radio", { name: "table" }));
  const table = await screen.findByRole("table", { name: "atmgw:at0-router:at1, atmgw → router" });
  for (const header of ["daily 95th percentile", "trend", "80 % interval, upper", "80 % interval, lower"])
    within(table).getByText(header);
});

it("draws no trend of a poor fit", () => {
  const curves = curvesOf(forecastChart(Date.now(), 3));
  expect(curves.lines.map(({ label }) => label)).toEqual(["daily 95th percentile"]);
  expect(curves.band).toBeUndefined();
});

it("ends a chart soon after the interval", () => {
  const chart = forecastChart(Date.now(), 1);
  const { labels, band } = curvesOf(chart);
  expect(labels.length).toBeLessThan(chart.days.length);
  expect(labels).toContain(chart.latest);
  expect(band).toEqual([2, 3]);
});

it("relies on no forecast that is too old", () => {
  const [row] = linkForecasts(Date.now());
  const old = { ...row, is_stale: true };
  expect(fullOn(old)).toBe(`no forecast: the newest is of ${old.day}`);
  expect(intervalText(old)).toBe("");
});

it("names a failed request", async () => {
  server.use(
    http.get("*/api/v1/capacity/forecast", () =>
      HttpResponse.json({ code: "unavailable", message: "The database is down." }, { status: 503 }),
    ),
  );
  show("/capacity/forecast?site=argonne");
  await screen.findByText(/The database is down/);
  expect(screen.queryByText("No forecast has been computed yet.")).toBeNull();
});
