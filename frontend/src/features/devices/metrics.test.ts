import { describe, expect, it } from "vitest";
import type { Figure } from "@/api/types";
import { describeHistory, formatMetric, groupsOf, keyMetrics, metricName } from "./metrics";

const growth = {
  kind: "growth",
  value: 6,
  reported_state: null,
  per_s: 3,
  unit: "errors",
  outcome: "ok",
} as const;

describe("a formatted metric", () => {
  it("is a rate where a growth is known, and the reason where it is not", () => {
    expect(formatMetric(growth)).toBe("3 errors/s");
    expect(formatMetric({ ...growth, per_s: null, outcome: "saturated" })).toBe("counter saturated");
    expect(formatMetric({ ...growth, per_s: null, outcome: "reset" })).toBe("counter restarted");
  });

  it("is a level with its unit, or the text of a state", () => {
    expect(formatMetric({ ...growth, kind: "level", value: 41.5, per_s: null, unit: "°C" })).toBe("41.5 °C");
    expect(
      formatMetric({ ...growth, kind: "state", value: null, reported_state: "<b>panic</b>", per_s: null }),
    ).toBe("<b>panic</b>");
    expect(formatMetric({ ...growth, kind: "level", value: null, per_s: null, unit: "°C" })).toBe("–");
  });
});

describe("a described history", () => {
  const past = {
    title: "Symbol errors",
    subject: "7",
    unit: "errors",
    per_second: true,
    mean: [1, null, 3],
    max: [1, null, 5],
    p95: 3,
  };

  it("contains mean and maximum without gaps", () => {
    expect(describeHistory(past)).toBe(
      "Symbol errors of 7: mean 2 errors/s, max. 5 errors/s, p95 (5-min) 3 errors/s.",
    );
    expect(describeHistory({ ...past, p95: null })).toBe(
      "Symbol errors of 7: mean 2 errors/s, max. 5 errors/s.",
    );
  });

  it("does not report a zero where there is no data", () => {
    expect(describeHistory({ ...past, mean: [null, null], max: [null, null] })).toBe(
      "Symbol errors of 7: no data in this time range.",
    );
  });
});

describe("metrics in groups", () => {
  const metric = (name: string, state: Figure["state"] = "ok", value: number | null = 1, subject = "") =>
    ({ id: `${name}|${subject}`, metric: name, name, subject, state, value }) as Figure;

  it("are by family, those with warnings first, and an unknown family has its own name", () => {
    const groups = groupsOf([
      metric("entity.temperature"),
      metric("ib.symbol_errors", "warning"),
      metric("entity.fan_speed", "unknown"),
      metric("xyz.odd"),
    ]);
    expect(
      groups.map(({ title, metrics, warnings, unknown }) => [title, metrics.length, warnings, unknown]),
    ).toEqual([
      ["InfiniBand", 1, 1, 0],
      ["Sensors", 2, 0, 1],
      ["xyz", 1, 0, 0],
    ]);
    expect(groupsOf([])).toEqual([]);
  });

  it("have charts of the most important ones, of the part with the highest value", () => {
    const shown = keyMetrics([
      metric("entity.temperature", "ok", 40, "temp1"),
      metric("entity.temperature", "ok", 61, "temp2"),
      metric("host.processor_load", "ok", null, "cpu0"),
      metric("host.processor_load", "ok", 7, "cpu1"),
      metric("ib.symbol_errors"),
    ]);
    expect(shown.map(metricName)).toEqual(["host.processor_load of cpu1", "entity.temperature of temp2"]);
  });
});
