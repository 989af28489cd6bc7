/**
 * Where each node stands: columns by tier from left to right, rows by `order.ts`. Pure: the same network has the same
 * picture in every browser.
 *
 * Positions are fractions of the drawing area, so that a picture fits a wall and a phone. Given the places of an earlier
 * picture, nodes that are still there do not move at all, and a new one takes the gap nearest to where it belongs.
 */

import { byName } from "./natural";
import { orderColumns, type Pair } from "./order";

export interface LayoutNode {
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly tier: number;
}

/** Fractions of the drawing area: x from the left, y from the top. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>;
  /** Nodes in the fullest column: tells how close rows are. */
  readonly rows: number;
  /** Columns as drawn, those of a broken tier included. */
  readonly columns: number;
  /** x of each tier that has nodes. */
  readonly tierX: ReadonlyMap<number, number>;
}

/** A column longer than this is broken into several side by side; long lists grow in both ways. */
const LONG_COLUMN = 40;
/** Share of the gap between two tiers that the side columns of a broken tier may take. */
const SIDE_SPREAD = 0.62;
/** Below this share of known nodes a column is laid out afresh. */
const KEEP_SHARE = 0.6;
/** Least distance of two nodes of a column, as a share of an even spread. */
const CROWDED = 0.55;

/** Lays the network out; `earlier` are the places of the picture before, if any. */
export function layOut(nodes: readonly LayoutNode[], pairs: readonly Pair[], earlier?: ReadonlyMap<string, Place>): Layout {
  const tiers = [...new Set(nodes.map((node) => node.tier))].toSorted((a, b) => a - b);
  const columnOf = new Map(tiers.map((tier, column) => [tier, column]));
  const ordered = orderColumns(
    nodes.map((node) => ({ ...node, column: columnOf.get(node.tier) ?? 0 })),
    pairs,
  );
  const gap = 1 / Math.max(1, tiers.length - 1);
  const places = new Map<string, Place>();
  let [rows, columns] = [1, 0];
  ordered.forEach((keys, column) => {
    const x = tiers.length > 1 ? column * gap : 0.5;
    const inward = column === 0 ? 1 : column === tiers.length - 1 ? -1 : 0;
    const grid = spread(keys, x, inward, gap * SIDE_SPREAD);
    const kept = earlier ? keep(keys, grid, earlier) : grid.places;
    for (const [key, place] of kept) places.set(key, place);
    rows = Math.max(rows, grid.rows);
    columns += grid.columns;
  });
  const tierX = new Map(tiers.map((tier, column) => [tier, tiers.length > 1 ? column * gap : 0.5]));
  return { places, rows, columns, tierX };
}

interface Grid {
  readonly places: ReadonlyMap<string, Place>;
  readonly rows: number;
  readonly columns: number;
}

/** Even rows over the full height; a long column is broken into side columns that grow towards the middle. */
function spread(keys: readonly string[], x: number, inward: number, room: number): Grid {
  const rows = Math.max(1, Math.min(keys.length, Math.max(LONG_COLUMN, Math.ceil(2 * Math.sqrt(keys.length)))));
  const columns = Math.max(1, Math.ceil(keys.length / rows));
  const step = columns > 1 ? room / (columns - 1) : 0;
  const first = inward === 0 ? x - (room / 2) * Number(columns > 1) : inward > 0 ? x : x - step * (columns - 1);
  const filled = Math.ceil(keys.length / columns);
  const places = new Map(
    keys.map((key, index) => {
      const row = Math.floor(index / columns);
      return [key, { x: first + step * (index % columns), y: (row + 0.5) / filled }];
    }),
  );
  return { places, rows: filled, columns };
}

/** Known nodes where they were, new ones in the nearest free gap; or the fresh grid when too little is known. */
function keep(keys: readonly string[], grid: Grid, earlier: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> {
  const known = keys.filter((key) => earlier.has(key));
  if (grid.columns > 1 || known.length < keys.length * KEEP_SHARE) return grid.places;
  const kept = new Map<string, Place>();
  for (const key of known) {
    const place = earlier.get(key);
    if (place) kept.set(key, { x: grid.places.get(key)?.x ?? place.x, y: place.y });
  }
  for (const key of keys.filter((candidate) => !kept.has(candidate)).toSorted(byName)) {
    const wanted = grid.places.get(key);
    if (!wanted) continue;
    const y = freeHeight([...kept.values()].map((place) => place.y), wanted.y, CROWDED / grid.rows);
    if (y === null) return grid.places;
    kept.set(key, { x: wanted.x, y });
  }
  return kept;
}

/** The height nearest to the wanted one that keeps the distance to all others; null when the column is full. */
export function freeHeight(taken: readonly number[], wanted: number, distance: number): number | null {
  const free = (y: number): boolean =>
    y >= 0 && y <= 1 && taken.every((other) => Math.abs(other - y) >= distance - 1e-9);
  const candidates = [wanted, ...taken.flatMap((y) => [y - distance, y + distance])].filter(free);
  return candidates.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)[0] ?? null;
}
