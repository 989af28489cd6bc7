import { describe, expect, it } from "vitest";
import { figureWords, pastWords } from "./figure";

const growth = {
  kind: "growth",
  value: 6,
  reported_state: null,
  per_s: 3,
  unit: "errors",
  outcome: "ok",
} as const;

describe("a figure in words", () => {
  it("is a rate where a growth is known, and the reason where it is not", () => {
    expect(figureWords(growth)).toBe("3 errors/s");
    expect(figureWords({ ...growth, per_s: null, outcome: "saturated" })).toBe("counter is full");
    expect(figureWords({ ...growth, per_s: null, outcome: "reset" })).toBe("counter restarted");
  });

  it("is a level with its unit, or a state's own word as it is", () => {
    expect(figureWords({ ...growth, kind: "level", value: 41.5, per_s: null, unit: "°C" })).toBe("41.5 °C");
    expect(
      figureWords({ ...growth, kind: "state", value: null, reported_state: "<b>panic</b>", per_s: null }),
    ).toBe("<b>panic</b>");
    expect(figureWords({ ...growth, kind: "level", value: null, per_s: null, unit: "°C" })).toBe("–");
  });
});

describe("a past in words", () => {
  const past = {
    title: "Symbol errors",
    subject: "7",
    unit: "errors",
    per_second: true,
    mean: [1, null, 3],
    max: [1, null, 5],
  };

  it("names mean and greatest, gaps left out", () => {
    expect(pastWords(past)).toBe("Symbol errors of 7: mean 2 errors/s, at most 5 errors/s.");
  });

  it("does not make a zero of nothing", () => {
    expect(pastWords({ ...past, mean: [null, null], max: [null, null] })).toBe(
      "Symbol errors of 7: nothing is known of this range.",
    );
  });
});
