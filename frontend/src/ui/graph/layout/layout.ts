/**
 * Node positions: columns by tier from left to right, rows by `order.ts`. Pure: the same network has the same layout in
 * every browser.
 *
 * Positions are fractions of the drawing area, so that a layout fits a wall display and a phone. Given an earlier layout,
 * known nodes do not move, and a new one takes the free gap nearest to its ideal position.
 */
import { byName } from "./naturalOrder";
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
  /** Nodes in the fullest column; decides the row distance. */
  readonly rows: number;
  /** Columns, including side columns. */
  readonly columns: number;
  /** x of each tier that has nodes. */
  readonly tierX: ReadonlyMap<number, number>;
}

/** A longer column is split into several side by side. */
const LONG_COLUMN = 40;
/** The same limit in a tier with one column per stage. */
const LONG_STAGE = 20;
/** Fraction of the gap between two tiers that the side columns of a split tier may take. */
const SIDE_SPREAD = 0.62;
/** Below this fraction of known nodes a column gets a new layout. */
const KEEP_SHARE = 0.6;
/** Minimum distance of two nodes in a column, as a fraction of even spacing. */
const CROWDED = 0.55;

/** Computes the layout; `earlier` are previous positions, if any. */
export function layOut(
  nodes: readonly LayoutNode[],
  pairs: readonly Pair[],
  earlier?: ReadonlyMap<string, Place>,
): Layout {
  const tiers = [...new Set(nodes.map((node) => node.tier))].toSorted((a, b) => a - b);
  const stages = stagesOf(nodes, pairs);
  const slots = tiers.flatMap((tier, at) => slotsOf(tier, at, tiers.length, stages));
  const columnOf = new Map(slots.map(({ tier, stage }, column) => [`${tier} ${stage}`, column]));
  const ordered = orderColumns(
    nodes.map((node) => ({
      ...node,
      column: columnOf.get(`${node.tier} ${stages.get(node.key) ?? 0}`) ?? 0,
    })),
    pairs,
  );
  const places = new Map<string, Place>();
  let [rows, columns] = [1, 0];
  slots.forEach(({ x, inward, room, long }, column) => {
    const keys = ordered[column] ?? [];
    const grid = spread(keys, { x, inward, room, long });
    const kept = earlier ? keep(keys, grid, earlier) : grid.places;
    for (const [key, place] of kept) places.set(key, place);
    rows = Math.max(rows, grid.rows);
    columns += grid.columns;
  });
  return {
    places,
    rows,
    columns,
    tierX: new Map(tiers.map((tier, at) => [tier, tierPlace(at, tiers.length)])),
  };
}

const tierPlace = (at: number, tiers: number): number => (tiers > 1 ? at / (tiers - 1) : 0.5);

/** Position of a column and the room for its side columns. */
interface Span {
  readonly x: number;
  /** 1: spreads to the right, -1: to the left, 0: to both sides. */
  readonly inward: number;
  readonly room: number;
  /** More rows than this are split into side columns. */
  readonly long: number;
}

interface Slot extends Span {
  readonly tier: number;
  readonly stage: number;
}

/** A tier's columns: one, or one per stage in the room of side columns. */
function slotsOf(tier: number, at: number, tiers: number, stages: ReadonlyMap<string, number>): Slot[] {
  const [x, room] = [tierPlace(at, tiers), SIDE_SPREAD / Math.max(1, tiers - 1)];
  const inward = at === 0 ? 1 : at === tiers - 1 ? -1 : 0;
  const count = tier === SWITCHES ? Math.max(0, ...stages.values()) + 1 : 1;
  if (count === 1) return [{ tier, stage: 0, x, inward, room, long: LONG_COLUMN }];
  const step = room / (count - 0.5);
  const first = inward === 0 ? x - room / 2 : inward > 0 ? x : x - room;
  return Array.from({ length: count }, (_, stage) => ({
    tier,
    stage,
    x: first + step * stage,
    inward: 1,
    room: step / 2,
    long: LONG_STAGE,
  }));
}

interface Grid {
  readonly places: ReadonlyMap<string, Place>;
  readonly rows: number;
  readonly columns: number;
}

/** Even rows over the full height; a long column is split into side columns toward the middle. */
function spread(keys: readonly string[], { x, inward, room, long }: Span): Grid {
  const rows = Math.max(1, Math.min(keys.length, Math.max(long, Math.ceil(2 * Math.sqrt(keys.length)))));
  const columns = Math.max(1, Math.ceil(keys.length / rows));
  const step = columns > 1 ? room / (columns - 1) : 0;
  const first =
    inward === 0 ? x - (room / 2) * Number(columns > 1) : inward > 0 ? x : x - step * (columns - 1);
  const filled = Math.max(1, Math.ceil(keys.length / columns));
  const places = new Map(
    keys.map((key, index) => {
      const row = Math.floor(index / columns);
      return [key, { x: first + step * (index % columns), y: (row + 0.5) / filled }];
    }),
  );
  return { places, rows: filled, columns };
}

/** Known nodes keep their position, new ones take the nearest free gap; a new grid if too few are known. */
function keep(
  keys: readonly string[],
  grid: Grid,
  earlier: ReadonlyMap<string, Place>,
): ReadonlyMap<string, Place> {
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
    const y = freeHeight(
      [...kept.values()].map((place) => place.y),
      wanted.y,
      CROWDED / grid.rows,
    );
    if (y === null) return grid.places;
    kept.set(key, { x: wanted.x, y });
  }
  return kept;
}

/** The free height nearest to the ideal one; null if the column is full. */
export function freeHeight(taken: readonly number[], wanted: number, distance: number): number | null {
  const free = (y: number): boolean =>
    y >= 0 && y <= 1 && taken.every((other) => Math.abs(other - y) >= distance - 1e-9);
  const candidates = [wanted, ...taken.flatMap((y) => [y - distance, y + distance])].filter(free);
  return candidates.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)[0] ?? null;
}

/** Tier of the switches. */
const SWITCHES = 1;
/** A tier with fewer nodes is readable as one column. */
const SMALL = 12;

/** Stage of each switch, 0 for leaves; all 0 if there is only one or nothing distinguishes them. */
function stagesOf(nodes: readonly LayoutNode[], pairs: readonly Pair[]): ReadonlyMap<string, number> {
  const tierOf = new Map(nodes.map((node) => [node.key, node.tier]));
  const switches = new Set(nodes.filter((node) => node.tier === SWITCHES).map((node) => node.key));
  if (switches.size < SMALL) return new Map();
  const between = pairs.filter(([a, b]) => switches.has(a) && switches.has(b));
  const leaves = pairs.flatMap(([a, b]) => {
    if (switches.has(a) && tierOf.get(b) === 0) return [a];
    return switches.has(b) && tierOf.get(a) === 0 ? [b] : [];
  });
  return walk(new Set(leaves), between, switches);
}

/** Distance in links from each switch to the nearest leaf; 0 if it reaches none. */
function walk(
  leaves: ReadonlySet<string>,
  between: readonly Pair[],
  switches: ReadonlySet<string>,
): Map<string, number> {
  const stage = new Map([...leaves].map((key) => [key, 0]));
  for (let at = 0; stage.size < switches.size; at += 1) {
    const next = between
      .flatMap(([a, b]) => [
        stage.get(a) === at && !stage.has(b) ? b : "",
        stage.get(b) === at && !stage.has(a) ? a : "",
      ])
      .filter((key) => key !== "");
    if (next.length === 0) break;
    for (const key of next) stage.set(key, at + 1);
  }
  return stage;
}
