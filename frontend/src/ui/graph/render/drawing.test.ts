import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { frameFor, toGraph } from "./frame";
import { hitBody, hitSegment, shifted } from "../interaction/hit";
import { type LabelRequest, overlap, placeLabels } from "./labelPlacement";
import { layOut } from "../layout/layout";
import { wantsFigure } from "./loadLabels";
import { mayCross } from "../screen";
import { linkStyle, mix, nodeStyle } from "./styles";
import { PALETTES } from "./palette";
import { sideways } from "../layout/parallels";
import { steer } from "../interaction/keyboard";
import { contrast } from "../testing/perception";
import { argonne, sceneLink, sceneNode } from "../testing/scenes";
import { solidAt, SWITCH_MS } from "../store";
import { WIDTH_STEPS, widthStep } from "./width";

describe("widths", () => {
  test.each([
    [0, "< 100 M"],
    [134.5e6, "100 M"],
    [538e6, "500 M"],
    [960e6, "1 G"],
    [97e9, "100 G"],
    [400e9, "400 G"],
    [800e9, "400 G"],
  ])("a capacity of %d bit/s is drawn as %s", (capacity, label) => {
    expect(widthStep(capacity).label).toBe(label);
  });

  test("grow with each rate step", () => {
    const widths = WIDTH_STEPS.map(({ width }) => width);
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(new Set(widths).size).toBe(widths.length);
  });
});

describe("parallel links", () => {
  const link = (key: string, source: string, target: string, width = 4) => ({ key, source, target, width });

  test("are drawn side by side without touching, in both directions", () => {
    const shifts = sideways([link("a", "x", "y", 4), link("b", "y", "x", 8), link("c", "x", "y", 4)]);
    // Seen from x to y: the one drawn from y to x has its right-hand side on the left.
    const centres = [shifts.get("a"), 0 - (shifts.get("b") ?? 0), shifts.get("c")];
    expect(centres).toEqual([-11, 0, 11]);
  });

  test("a single link stays on its line", () => {
    expect(sideways([link("a", "x", "y"), link("b", "x", "z")]).get("a")).toBe(0);
  });
});

describe("hit testing", () => {
  const line = { key: "l", from: { x: 0, y: 0 }, to: { x: 100, y: 0 }, halfWidth: 2 };

  test.each([
    [{ x: 20, y: 5 }, "forward"],
    [{ x: 80, y: -5 }, "back"],
  ])("at %j is the %s half of the link", (at, half) => {
    expect(hitSegment(at, [line])).toEqual({ key: "l", half });
  });

  test("finds nothing 8 px beside a thin line or beyond its end", () => {
    expect(hitSegment({ x: 50, y: 8 }, [line])).toBeNull();
    expect(hitSegment({ x: 110, y: 0 }, [line])).toBeNull();
  });

  test("finds the nearer of two lines", () => {
    const other = { ...line, key: "m", from: { x: 0, y: 6 }, to: { x: 100, y: 6 } };
    expect(hitSegment({ x: 50, y: 4 }, [line, other])?.key).toBe("m");
  });

  test("finds a node within a circle of 24 px, however small it is drawn", () => {
    const body = { key: "n", x: 50, y: 50, reachX: 2, reachY: 2 };
    expect(hitBody({ x: 61, y: 40 }, [body])).toBe("n");
    expect(hitBody({ x: 63, y: 50 }, [body])).toBeNull();
  });

  test("a shifted line lies to the right of its direction on screen", () => {
    const { from, to } = shifted({ x: 5, y: 5 }, { x: 15, y: 5 }, 3);
    expect([from, to]).toEqual([
      { x: 5, y: 8 },
      { x: 15, y: 8 },
    ]);
  });
});

describe("lines outside of the drawing area", () => {
  const area = { width: 100, height: 50 };
  test.each([
    ["inside", { x: 10, y: 10 }, { x: 20, y: 20 }, true],
    ["across", { x: -50, y: 10 }, { x: 150, y: 20 }, true],
    ["with one end inside", { x: -50, y: 10 }, { x: 20, y: 20 }, true],
    ["whose halo reaches in", { x: -50, y: -3 }, { x: 150, y: -3 }, true],
    ["on the left", { x: -50, y: 10 }, { x: -20, y: 20 }, false],
    ["on the right", { x: 150, y: 10 }, { x: 120, y: 20 }, false],
    ["above", { x: 10, y: -30 }, { x: 90, y: -20 }, false],
    ["below", { x: 10, y: 80 }, { x: 90, y: 70 }, false],
  ])("%s: %j to %j is looked at: %s", (_name, from, to, expected) => {
    expect(mayCross(from, to, area, 5)).toBe(expected);
  });
});

test("utilisation is drawn on nearly full links, on marked ones, and near by on all that are not dimmed", () => {
  const quiet = { utilisation: 0.1, text: "10 %" };
  const link = sceneLink("a", "x", "y");
  const dim = { ...link, emphasis: "dim" as const };
  expect(wantsFigure(link, quiet, false, false)).toBe(false);
  expect(wantsFigure(link, quiet, false, true)).toBe(true);
  expect(wantsFigure(link, quiet, true, false)).toBe(true);
  expect(wantsFigure(link, { utilisation: 0.95, text: "95 %" }, false, false)).toBe(true);
  expect(wantsFigure(dim, quiet, false, true)).toBe(false);
});

describe("names", () => {
  test.each([15, 30])("of %d nodes in a column are all shown without overlap", (count) => {
    const { nodes, pairs } = argonne(count);
    const layout = layOut(nodes, pairs);
    const frame = frameFor(
      layout,
      { width: 1100, height: 560 },
      nodes.map(({ tier, name }) => ({ tier, label: name })),
      pairs.length,
    );
    const requests = nodes.map(({ key, name, tier }): LabelRequest => {
      const { x, y } = toGraph(layout.places.get(key) ?? { x: 0, y: 0 }, frame);
      const { radius } = nodeStyle(sceneNode(key, tier), PALETTES.dark, frame.scale);
      return {
        key,
        x,
        y: frame.height - y,
        reachX: radius,
        reachY: radius,
        width: 7 * name.length,
        sides: tier === 0 ? ["left"] : tier === 3 ? ["right"] : ["below", "above"],
      };
    });
    const placed = placeLabels(requests, requests);
    expect(placed).toHaveLength(nodes.length);
    for (const one of placed) {
      expect(one.left).toBeGreaterThanOrEqual(0);
      expect(one.right).toBeLessThanOrEqual(frame.width);
      expect(placed.filter((other) => other !== one && overlap(one, other))).toEqual([]);
    }
  });

  test("that would overlap are omitted; the first one is kept", () => {
    const request = (key: string, x: number): LabelRequest => ({
      key,
      x,
      y: 0,
      reachX: 3,
      reachY: 3,
      width: 80,
      sides: ["right"],
    });
    expect(placeLabels([request("a", 0), request("b", 40)], []).map(({ key }) => key)).toEqual(["a"]);
  });
});

describe("arrow keys", () => {
  const { nodes, pairs } = argonne(8);
  const { places } = layOut(nodes, pairs);

  test.each([
    [null, "ArrowRight", "sp01"],
    ["sp01", "ArrowDown", "sp02"],
    ["sp02", "ArrowRight", "css"],
    ["css", "ArrowRight", "grf1"],
    ["grf1", "ArrowLeft", "css"],
    ["sp01", "ArrowUp", "sp01"],
  ] as const)("from %s by %s lead to %s", (from, arrow, expected) => {
    expect(steer(places, pairs, from, arrow)).toBe(expected);
  });
});

describe("the animation of a path switch", () => {
  test("takes 400 ms and ends exactly", () => {
    const transition = { from: 0, to: 1, startedAt: 100 };
    expect([0, 100, 100 + SWITCH_MS, 9999].map((now) => solidAt(transition, now))).toEqual([0, 0, 1, 1]);
    expect(SWITCH_MS).toBe(400);
  });
});

describe("colours", () => {
  const tokens = readFileSync(`${import.meta.dirname}/../../tokens.css`, "utf8");
  const token = (scheme: string, name: string): string => {
    const block =
      tokens
        .split(/\n\}/)
        .find((part) => part.includes(`scheme="${scheme}"]`) && part.includes(`--${name}:`)) ?? "";
    return new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(block)?.[1] ?? "";
  };

  test.each(["dark", "light"] as const)("of the %s map equal those of the pages", (scheme) => {
    const { surface, text, accent, tone } = PALETTES[scheme];
    const shared = {
      surface,
      text,
      accent,
      warning: tone.warning,
      critical: tone.critical,
      unknown: tone.unknown,
      disabled: tone.disabled,
    };
    expect(shared).toEqual(
      Object.fromEntries(Object.keys(shared).map((name) => [name, token(scheme, name)])),
    );
  });

  test.each(["dark", "light"] as const)("of the %s map contrast with the surface", (scheme) => {
    const { surface, text, muted, casing, unknownFill, halo, accent, tone } = PALETTES[scheme];
    for (const mark of [casing, unknownFill, halo, accent, ...Object.values(tone)])
      expect(contrast(mark, surface)).toBeGreaterThanOrEqual(3);
    for (const colour of [text, muted]) expect(contrast(colour, surface)).toBeGreaterThanOrEqual(4.5);
  });

  test("a nearly full line has another outline, and a dimmed line is faint", () => {
    const full = sceneLink("a", "x", "y", { forward: { utilisation: 0.9, text: "90 %" } });
    expect(linkStyle(full, PALETTES.dark, "dark", 1).outline).toBe(PALETTES.dark.casingFull);
    expect(linkStyle({ ...full, emphasis: "dim" }, PALETTES.dark, "dark", 1).alpha).toBeLessThan(0.3);
  });

  test("interpolate between two colours", () => {
    expect([
      mix("#000000", "#ffffff", 0),
      mix("#000000", "#ffffff", 0.5),
      mix("#000000", "#ffffff", 1),
    ]).toEqual(["#000000", "#808080", "#ffffff"]);
  });
});
