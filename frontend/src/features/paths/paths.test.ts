import { describe, expect, it } from "vitest";
import { pathsHeadline } from "./headline";
import { nextSort } from "./PathTable";
import { labels, lines, outages, periods } from "./timeline";
import type { Outage, Path, PathHistory } from "@/api/types";
import { pathGroups, pathHistory, paths } from "@/mocks/paths";

const NOW = Date.parse("2026-05-01T12:00:00Z");

it("the headline counts fallbacks, dead and unverified paths, and standbys by state", () => {
  expect(pathsHeadline(paths(NOW, "normal"))).toBe(
    "All 10 paths on the preferred gateway, all with standby verified.",
  );
  expect(pathsHeadline(paths(NOW, "cut"))).toBe("10 of 10 paths on a fallback, 10 with standby dead.");
  const [dead, unverified, bare, ...rest] = paths(NOW, "normal") as [Path, Path, Path, ...Path[]];
  expect(
    pathsHeadline([
      { ...dead, end_to_end: "dead", placement: "none", standby: "not verified" },
      { ...unverified, end_to_end: "unverified" },
      { ...bare, standby: "none" },
      ...rest,
    ]),
  ).toBe(
    "9 of 10 paths on the preferred gateway, 1 dead, 1 unverified, 1 with standby not verified, 1 with no standby.",
  );
  expect(pathsHeadline([])).toBe("No failover policies defined.");
});

it("the headline counts each path once: a dead one is on no gateway", () => {
  const [first, second, ...rest] = paths(NOW, "normal") as [Path, Path, ...Path[]];
  const dead = (path: Path, placement: Path["placement"]): Path => ({
    ...path,
    placement,
    end_to_end: "dead",
  });
  expect(pathsHeadline([dead(first, "preferred"), dead(second, "preferred"), ...rest])).toMatch(
    /^8 of 10 paths on the preferred gateway, 2 dead,/,
  );
  const fallen = rest.map((path): Path => ({ ...path, placement: "fallback" }));
  expect(pathsHeadline([dead(first, "fallback"), dead(second, "none"), ...fallen])).toMatch(
    /^8 of 10 paths on a fallback, 2 dead,/,
  );
});

it("the headline counts paths of drafts apart", () => {
  const draft = (path: Path): Path => ({ ...path, in_force: false });
  const [first, ...rest] = paths(NOW, "normal") as [Path, ...Path[]];
  expect(pathsHeadline([draft(first), ...rest])).toBe(
    "All 9 paths on the preferred gateway, 1 path of drafts, all with standby verified.",
  );
  expect(pathsHeadline([draft(first)])).toBe("No policy is deployed yet: all paths are of drafts.");
});

it("the headline of groups is that of their paths", () => {
  for (const scenario of ["normal", "cut"] as const)
    expect(pathsHeadline(pathGroups(NOW, scenario))).toBe(pathsHeadline(paths(NOW, scenario)));
});

it("sorts numbers descending first, names ascending first, then as the list", () => {
  expect(["", "-since", "since", "policy"].map((sort) => nextSort(sort, "since", true))).toEqual([
    "-since",
    "since",
    "",
    "-since",
  ]);
  expect(["", "policy", "-policy"].map((sort) => nextSort(sort, "policy", false))).toEqual([
    "policy",
    "-policy",
    "",
  ]);
});

describe("the timeline", () => {
  const path = paths(NOW, "cut")[0] as Path;
  const history = pathHistory(NOW, "cut", path.id, NOW - 4 * 3_600_000) as PathHistory;

  it("is unknown before the first report, without a hole", () => {
    const blocks = periods(history);
    expect(blocks.map(({ state, label }) => [state, label])).toEqual([
      ["unknown", "no data"],
      ["preferred", "grf1"],
      ["fallback", "atmgw"],
    ]);
    expect(blocks[0]?.width).toBeCloseTo(0.25);
    expect(blocks.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1);
  });

  it("marks outages where they were, clipped to the range", () => {
    const outage: Outage = {
      ...(history.outages[0] as Outage),
      start: new Date(NOW - 5 * 3_600_000).toISOString(),
    };
    const long = { ...outage, duration_ms: 2 * 3_600_000 };
    const [mark] = outages({ ...history, outages: [long] });
    expect(mark).toMatchObject({ state: "dead", left: 0 });
    expect(mark?.width).toBeCloseTo(0.25);
    expect(outages(history)[0]?.title).toBe("131 ms: gateway switch (probes every 50 ms, ±50 ms)");
  });

  it("lists switches with their outage, and outages without a switch", () => {
    const dead: Outage = {
      ...(history.outages[0] as Outage),
      id: 9,
      cause: "target_dead",
      cause_text: "target unreachable, route kept",
      end: null,
      text: "at least 10 s, ongoing",
      start: new Date(NOW - 10_000).toISOString(),
    };
    const found = lines([{ path, history: { ...history, outages: [...history.outages, dead] } }]);
    expect(found.map(({ text, figure }) => [text, figure])).toEqual([
      ["sp01: 0.0.0.0/0: target unreachable, route kept", "at least 10 s, ongoing"],
      ["sp01: 0.0.0.0/0 moved from grf1 to atmgw", "131 ms"],
    ]);
  });
});

describe("labels of a strip", () => {
  const block = (left: number, width: number, label: string) => ({
    key: `${left} ${label}`,
    state: "dead" as const,
    left,
    width,
    label,
    title: "",
  });

  // Widths of the strip on a desktop of 1366 px and on a phone of 390 px.
  it.each([1010, 226])("never overlap nor leave it, %d px wide", (width) => {
    for (let seed = 1; seed < 300; seed++) {
      const at = Array.from(
        { length: 12 },
        (_, index) => ((seed * (index + 3) * 7919) % 1000) / 1000,
      ).toSorted();
      const marks = at.map((left, index) =>
        block(left, index / 900, index % 2 ? "at least 10 s, ongoing" : "300 ms"),
      );
      const periodsOf = at.map((left, index) => block(left, (at[index + 1] ?? 1) - left, "grf1"));
      const found = labels(periodsOf, marks, width).toSorted((a, b) => a.left - b.left);
      for (const [index, label] of found.entries()) {
        expect(label.left).toBeGreaterThanOrEqual(0);
        expect(label.left + label.width).toBeLessThanOrEqual(width);
        const next = found[index + 1];
        if (next !== undefined) expect(label.left + label.width).toBeLessThanOrEqual(next.left);
      }
    }
  });

  it("prefer the newest outage, and stand before it at the right edge", () => {
    const marks = [block(0.9, 0.001, "300 ms"), block(0.95, 0.05, "at least 10 s, ongoing")];
    expect(labels([], marks, 400).map(({ text }) => text)).toEqual(["at least 10 s, ongoing"]);
    expect(labels([block(0, 1, "grf1")], [], 400).map(({ text }) => text)).toEqual(["grf1"]);
    expect(labels([block(0, 1, "grf1")], [], 0)).toEqual([]);
  });
});
