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
  /** Area of each node's place in its grid, as fractions. */
  readonly cells: ReadonlyMap<string, Cell>;
}

export interface Cell {
  readonly width: number;
  readonly height: number;
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
/** In a large network: x of the second tier, because the first one has hundreds of racks. */
const SECOND_TIER = 0.55;
/** In a large network, grids have a multiple of this many rows, so that a few more racks have a place. */
const ROW_STEP = 4;

/** Computes the layout; `earlier` are previous positions, if any. In a `large` network, grids have fixed places. */
export function layOut(
  nodes: readonly LayoutNode[],
  pairs: readonly Pair[],
  earlier?: ReadonlyMap<string, Place>,
  large = false,
): Layout {
  const tiers = [...new Set(nodes.map((node) => node.tier))].toSorted((a, b) => a - b);
  const tierPlaces = placeTiers(tiers.length, large);
  const stages = stagesOf(nodes, pairs);
  const slots = tiers.flatMap((tier, at) => slotsOf(tier, at, tierPlaces, stages));
  const columnOf = new Map(slots.map(({ tier, stage }, column) => [`${tier} ${stage}`, column]));
  const ordered = orderColumns(
    nodes.map((node) => ({
      ...node,
      column: columnOf.get(`${node.tier} ${stages.get(node.key) ?? 0}`) ?? 0,
    })),
    pairs,
  );
  const [places, cells] = [new Map<string, Place>(), new Map<string, Cell>()];
  let [rows, columns] = [1, 0];
  slots.forEach(({ x, inward, room, long }, column) => {
    const keys = ordered[column] ?? [];
    const grid = spread(keys, { x, inward, room, long }, large);
    const kept = earlier ? keep(keys, grid, earlier, large) : grid.places;
    for (const [key, place] of kept) {
      places.set(key, place);
      cells.set(key, grid.cell);
    }
    rows = Math.max(rows, grid.rows);
    columns += grid.columns;
  });
  return {
    places,
    rows,
    columns,
    tierX: new Map(tiers.map((tier, at) => [tier, tierPlaces[at] ?? 0.5])),
    cells,
  };
}

/** x of each tier: at equal distances, but farther from the first one in a large network. */
function placeTiers(tiers: number, large: boolean): number[] {
  if (tiers < 2) return [0.5];
  const rest = (1 - SECOND_TIER) / Math.max(1, tiers - 2);
  return Array.from({ length: tiers }, (_, at) => {
    if (!large || tiers === 2) return at / (tiers - 1);
    return at === 0 ? 0 : SECOND_TIER + rest * (at - 1);
  });
}

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
function slotsOf(
  tier: number,
  at: number,
  tierPlaces: readonly number[],
  stages: ReadonlyMap<string, number>,
): Slot[] {
  const [x, tiers] = [tierPlaces[at] ?? 0.5, tierPlaces.length];
  const neighbour = tierPlaces[at + 1] ?? tierPlaces[at - 1];
  const room = SIDE_SPREAD * (neighbour === undefined ? 1 : Math.abs(neighbour - x));
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
  readonly cell: Cell;
  /** The place at an index of the grid, row by row. */
  readonly at: (index: number) => Place;
}

/** Even rows over the full height; a long column is split into side columns toward the middle. */
function spread(keys: readonly string[], { x, inward, room, long }: Span, large: boolean): Grid {
  const rows = Math.max(1, Math.min(keys.length, Math.max(long, Math.ceil(2 * Math.sqrt(keys.length)))));
  const columns = Math.max(1, Math.ceil(keys.length / rows));
  const step = columns > 1 ? room / (columns - 1) : 0;
  const first =
    inward === 0 ? x - (room / 2) * Number(columns > 1) : inward > 0 ? x : x - step * (columns - 1);
  const least = Math.max(1, Math.ceil(keys.length / columns));
  const filled = large && columns > 1 ? Math.ceil(least / ROW_STEP) * ROW_STEP : least;
  const at = (index: number): Place => ({
    x: first + step * (index % columns),
    y: (Math.floor(index / columns) + 0.5) / filled,
  });
  const places = new Map(keys.map((key, index) => [key, at(index)]));
  const cell = { width: columns > 1 ? step : room, height: 1 / filled };
  return { places, rows: filled, columns, cell, at };
}

/** Known nodes keep their position, new ones take the nearest free gap; a new grid if too few are known. */
function keep(
  keys: readonly string[],
  grid: Grid,
  earlier: ReadonlyMap<string, Place>,
  large: boolean,
): ReadonlyMap<string, Place> {
  const known = keys.filter((key) => earlier.has(key));
  if (known.length < keys.length * KEEP_SHARE) return grid.places;
  if (grid.columns > 1) return large ? keepInGrid(keys, grid, earlier) : grid.places;
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

/** Known nodes keep their place in a grid of the same shape, new ones take the first free places. */
function keepInGrid(
  keys: readonly string[],
  grid: Grid,
  earlier: ReadonlyMap<string, Place>,
): ReadonlyMap<string, Place> {
  const spot = ({ x, y }: Place): string => `${x.toFixed(6)} ${y.toFixed(6)}`;
  const free = new Map(
    Array.from({ length: grid.rows * grid.columns }, (_, index) => grid.at(index)).map((place) => [
      spot(place),
      place,
    ]),
  );
  const kept = new Map<string, Place>();
  for (const key of keys) {
    const before = earlier.get(key);
    const place = before && free.get(spot(before));
    if (!place) continue;
    kept.set(key, place);
    free.delete(spot(place));
  }
  const rest = free.values();
  for (const key of keys.filter((candidate) => !kept.has(candidate)).toSorted(byName)) {
    const { value } = rest.next();
    if (value !== undefined) kept.set(key, value);
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
