import { describe, expect, test } from "vitest";

import { contrast, deltaE2000, labOf, SIGHT, type Triple } from "./graph/testing/perception";
import { RAMP, rampClass, rampColour, rampSpans, type Scheme } from "./ramp";

const SCHEMES: Scheme[] = ["dark", "light"];

describe("the classes", () => {
  test.each([
    [0, 0],
    [-0.1, 0],
    [Number.NaN, 0],
    [0.001, 1],
    [0.01, 2],
    [0.0999, 2],
    [0.1, 3],
    [0.25, 4],
    [0.4, 5],
    [0.55, 6],
    [0.7, 7],
    [0.85, 8],
    [1, 8],
    [1.04, 8],
  ])("utilisation %d is of class %d", (utilisation, expected) => {
    expect(rampClass(utilisation)).toBe(expected);
  });

  test("the legend has Weathermap's nine ranges in the colours of the lines", () => {
    const spans = rampSpans("dark");
    expect(spans.map((span) => span.label)).toEqual([
      "0",
      "0–1",
      "1–10",
      "10–25",
      "25–40",
      "40–55",
      "55–70",
      "70–85",
      "85–100",
    ]);
    for (const span of spans.slice(2)) expect(rampColour(span.from, "dark")).toBe(span.colour);
  });
});

describe("the colour difference used below", () => {
  // Pairs 1, 7, 17 and 25 of Sharma, Wu & Dalal 2005, table 1.
  const pairs: [Triple, Triple, number][] = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  ];
  test.each(pairs)("of %j and %j is %d", (one, other, expected) => {
    expect(deltaE2000(one, other)).toBeCloseTo(expected, 4);
  });

  test("black on white has a contrast of 21", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 3);
  });
});

describe.each(SCHEMES)("the %s ramp", (scheme) => {
  const colours = RAMP[scheme];

  test("has monotonic lightness for every type of colour vision", () => {
    for (const sight of Object.values(SIGHT)) {
      const lightness = colours.map((colour) => labOf(colour, sight)[0]);
      const expected = lightness.toSorted((a, b) => (scheme === "dark" ? a - b : b - a));
      expect(lightness).toEqual(expected);
    }
  });

  test.each(Object.keys(SIGHT))("keeps adjacent classes 10 apart for %s vision", (name) => {
    const sight = SIGHT[name];
    if (!sight) throw new Error(name);
    const labs = colours.map((colour) => labOf(colour, sight));
    const steps = labs.slice(1).map((lab, index) => deltaE2000(labs[index] ?? lab, lab));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(10);
  });
});
