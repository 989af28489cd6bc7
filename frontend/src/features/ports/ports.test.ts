import { expect, it } from "vitest";
import type { PortHistory } from "@/api/ports/ports";
import type { Port } from "@/api/types";
import { counterCharts, histogram, rateSeries } from "./series";
import { headline, metricText } from "./texts";

const HISTORY: PortHistory = {
  usable_rate: 100_000,
  capacity: [{ start: 0, usable_rate: 100_000 }],
  step_s: 60,
  at: [0, 60, 120],
  in_mean: [80_000, null, 40_000],
  in_max: [90_000, null, 50_000],
  out_mean: [8000, 8000, 8000],
  out_max: [8000, 8000, 8000],
  in_p95: 80_000,
  out_p95: 8000,
  in_packets: [100, null, 0],
  out_packets: [10, 10, 10],
  in_errors: [1, null, 0],
  out_errors: [0, 0, 0],
  in_discards: [1, null, 0],
  out_discards: [0, 0, 0],
  in_shares: [0.5, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.25],
  out_shares: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  resets: [],
  level: "samples",
  coverage: 1,
  p95_exact: true,
  gaps: [],
};

it("draws in above and out below with capacity and p95", () => {
  const { up, down, capacity } = rateSeries(HISTORY, []);
  expect([up.label, up.p95, down.label, down.p95, capacity]).toEqual(["in", 80_000, "out", 8000, 100_000]);
});

it("derives utilisation, packet size and losses, and leaves gaps where a value is missing", () => {
  const charts = Object.fromEntries(counterCharts(HISTORY, []).map(({ id, series }) => [id, series]));
  expect(charts.utilisation?.up.mean).toEqual([0.8, null, 0.4]);
  expect(charts.utilisation?.up.max).toEqual([0.9, null, 0.5]);
  expect(charts.size?.up.mean).toEqual([100, null, null]);
  expect(charts.losses?.up.mean).toEqual([20_000, null, null]);
  expect(charts.packets?.format?.(84.34)).toBe("84.3 /s");
  expect(Object.keys(charts)).toHaveLength(6);
});

it("names the tenths of the histogram", () => {
  const bars = histogram(HISTORY);
  expect([bars[0]?.label, bars[0]?.in, bars[9]?.label, bars[9]?.in]).toEqual([
    "0-10 %",
    0.5,
    "from 90 %",
    0.25,
  ]);
  expect(histogram({ in_shares: [], out_shares: [] })).toEqual([]);
});

it("says in one sentence what the port does", () => {
  const port = {
    in_bps: 12_000_000,
    out_bps: 4_000_000,
    in_utilisation: 0.23,
    out_utilisation: null,
    usable_rate: 53_800_000,
    state_text: "up for 3 h",
  } as Port;
  expect(headline(port)).toBe("Receives 12 Mb/s (23 %), sends 4 Mb/s of 53.8 Mb/s usable; up for 3 h.");
  expect(headline({ ...port, in_bps: null, out_bps: null })).toBe("No load reported; up for 3 h.");
});

it("formats a metric with its unit", () => {
  const metric = { value: 3, per_s: null, unit: "°C", reported_state: null };
  expect(metricText(metric)).toBe("3 °C");
  expect(metricText({ ...metric, per_s: 2.5, unit: "errors" })).toBe("2.5 errors/s");
  expect(metricText({ ...metric, reported_state: "running" })).toBe("running");
});
