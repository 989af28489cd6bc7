import { describe, expect, test } from "vitest";

import { freeHeight, layOut, type LayoutNode, type Place } from "./layout";
import { orderColumns } from "./order";
import { argonne } from "../testing/scenes";
import { countCrossings } from "../testing/crossings";

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item, index) => ({ item, at: (index * 7919) % 101 }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);

const rowsOf = (places: ReadonlyMap<string, Place>, keys: readonly string[]): string[] =>
  keys.toSorted((a, b) => (places.get(a)?.y ?? 0) - (places.get(b)?.y ?? 0));

const moved = (before: ReadonlyMap<string, Place>, after: ReadonlyMap<string, Place>): string[] =>
  [...before]
    .filter(([key, { x, y }]) => after.has(key) && (after.get(key)?.x !== x || after.get(key)?.y !== y))
    .map(([key]) => key);

describe("the layout", () => {
  const { nodes, pairs } = argonne(8);

  test("places tiers from left to right and every node inside the area", () => {
    const { places } = layOut(nodes, pairs);
    const xOf = (key: string): number => places.get(key)?.x ?? Number.NaN;
    expect([xOf("sp01"), xOf("css"), xOf("grf1"), xOf("router")]).toEqual([0, 1 / 3, 2 / 3, 1]);
    for (const { x, y } of places.values()) expect(Math.min(x, y, 1 - x, 1 - y)).toBeGreaterThanOrEqual(0);
  });

  test("does not depend on the order of nodes and links", () => {
    const one = layOut(nodes, pairs).places;
    const other = layOut(shuffled(nodes), shuffled(pairs)).places;
    expect(moved(one, other)).toEqual([]);
  });

  test("orders names naturally", () => {
    const { nodes: many, pairs: links } = argonne(12);
    const { places } = layOut(many, links);
    const sp = many.filter(({ tier }) => tier === 0).map(({ key }) => key);
    expect(rowsOf(places, sp)).toEqual(sp.toSorted());
  });

  test("draws the Argonne network without crossing lines", () => {
    const columns = orderColumns(
      nodes.map((node) => ({ ...node, column: node.tier })),
      pairs,
    );
    expect(countCrossings(columns, pairs)).toBe(0);
  });

  test("keeps all positions when a node is added, and gives it a free one", () => {
    const before = layOut(nodes, pairs).places;
    const grown = argonne(9);
    const after = layOut(grown.nodes, grown.pairs, before).places;
    expect(moved(before, after)).toEqual([]);
    const heights = [...after]
      .filter(([key]) => key.startsWith("sp"))
      .map(([, { y }]) => y)
      .toSorted((a, b) => a - b);
    expect(Math.min(...heights.slice(1).map((y, index) => y - (heights[index] ?? 0)))).toBeGreaterThan(0.05);
  });

  test("keeps all positions when a node is removed", () => {
    const before = layOut(nodes, pairs).places;
    const after = layOut(
      nodes.filter(({ key }) => key !== "sp04"),
      pairs.filter(([source]) => source !== "sp04"),
      before,
    ).places;
    expect(moved(before, after)).toEqual([]);
  });

  test("redistributes a column when most of its nodes are new", () => {
    const before = layOut(nodes, pairs).places;
    const grown = argonne(24);
    const fresh = layOut(grown.nodes, grown.pairs).places;
    const after = layOut(grown.nodes, grown.pairs, before).places;
    expect(after.get("sp01")).toEqual(fresh.get("sp01"));
    expect(after.get("grf1")).toEqual(before.get("grf1"));
  });

  test("breaks a long column into several that do not reach the next tier", () => {
    const long: LayoutNode[] = Array.from({ length: 420 }, (_, index) => ({
      key: `n${index}`,
      name: `n${index}`,
      group: "compute",
      tier: 0,
    }));
    const { places, rows } = layOut([...long, { key: "x", name: "x", group: "", tier: 1 }], []);
    expect(rows).toBeLessThanOrEqual(42);
    const spots = new Set([...places.values()].map(({ x, y }) => `${x.toFixed(6)} ${y.toFixed(6)}`));
    expect(spots.size).toBe(421);
    expect(Math.max(...long.map(({ key }) => places.get(key)?.x ?? 0))).toBeLessThan(0.7);
  });

  test("places unconnected nodes below the others", () => {
    const { places } = layOut(
      [...nodes, { key: "mgmt1", name: "mgmt1", group: "management", tier: 3 }],
      pairs,
    );
    expect(rowsOf(places, ["mgmt1", "onyx1", "origin1", "router"]).at(-1)).toBe("mgmt1");
  });

  test("places fat-tree leaves before spines, each in several columns", () => {
    const leaves = Array.from({ length: 36 }, (_, at) => `leaf${at + 1}`);
    const spines = Array.from({ length: 18 }, (_, at) => `spine${at + 1}`);
    const switches = [...spines, ...leaves].map((key): LayoutNode => ({
      key,
      name: key,
      group: "switch",
      tier: 1,
    }));
    const hosts: LayoutNode = { key: "hosts", name: "compute ×648", group: "compute", tier: 0 };
    const outside: LayoutNode = { key: "mgmt1", name: "mgmt1", group: "management", tier: 3 };
    const lines = [
      ...leaves.map((leaf): [string, string] => ["hosts", leaf]),
      ...leaves.flatMap((leaf) => spines.map((spine): [string, string] => [spine, leaf])),
    ];
    const { places, rows } = layOut([hosts, ...switches, outside], lines);
    const xs = (keys: readonly string[]): number[] => keys.map((key) => places.get(key)?.x ?? Number.NaN);
    expect(Math.max(...xs(leaves))).toBeLessThan(Math.min(...xs(spines)));
    expect([Math.min(...xs(leaves)) > 0, Math.max(...xs(spines)) < 1, rows]).toEqual([true, true, 18]);
  });

  test("accepts no nodes, one node, and links with missing ends", () => {
    expect(layOut([], []).places.size).toBe(0);
    expect(layOut([{ key: "a", name: "a", group: "", tier: 2 }], [["a", "ghost"]]).places.get("a")).toEqual({
      x: 0.5,
      y: 0.5,
    });
  });
});

describe("a free height", () => {
  test.each([
    [[], 0.5, 0.5],
    [[0.5], 0.5, 0.4],
    [[0.5, 0.4], 0.5, 0.6],
    [[0.02], 0, 0.12],
  ])("among %j nearest to %d is %d", (taken, wanted, expected) => {
    expect(freeHeight(taken, wanted, 0.1)).toBeCloseTo(expected, 9);
  });

  test("does not exist in a full column", () => {
    expect(freeHeight([0.05, 0.5, 0.95], 0.3, 0.5)).toBeNull();
  });
});
