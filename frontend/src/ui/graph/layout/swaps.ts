/**
 * Swaps adjacent blocks within a column while that reduces crossings.
 *
 * A swap affects only the lines of both blocks, so only these are compared and not all lines of the network, of which a
 * fat-tree has hundreds per node.
 */

import type { Block, Pair } from "./order";

const MAX_ROUNDS = 12;
/** Cost, in crossings, of a line within a column that runs through a node. */
export const THROUGH_A_NODE = 3;

interface Placed {
  readonly columnOf: ReadonlyMap<string, number>;
  /** From the top of its column. */
  readonly row: Map<string, number>;
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
}

/** Reorders the columns in place. */
export function swapWhileBetter(columns: Block[][], pairs: readonly Pair[]): void {
  const placed = place(columns, pairs);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const swapped = columns.map((blocks, column) => sweep(blocks, column, placed));
    if (!swapped.includes(true)) return;
  }
}

function place(columns: readonly (readonly Block[])[], pairs: readonly Pair[]): Placed {
  const [columnOf, row] = [new Map<string, number>(), new Map<string, number>()];
  columns.forEach((blocks, column) =>
    blocks
      .flatMap((block) => block.members)
      .forEach((key, at) => {
        columnOf.set(key, column);
        row.set(key, at);
      }),
  );
  const neighbours = new Map([...columnOf.keys()].map((key): [string, string[]] => [key, []]));
  for (const [source, target] of pairs) {
    const ends = [neighbours.get(source), neighbours.get(target)];
    if (!ends[0] || !ends[1]) continue;
    ends[0].push(target);
    ends[1].push(source);
  }
  return { columnOf, row, neighbours };
}

/** One pass over a column; whether anything was swapped. */
function sweep(blocks: Block[], column: number, placed: Placed): boolean {
  let swapped = false;
  for (let at = 0; at + 1 < blocks.length; at += 1) {
    const [upper, lower] = [blocks[at], blocks[at + 1]];
    if (!upper || !lower || gain(upper, lower, column, placed) <= 0) continue;
    blocks.splice(at, 2, lower, upper);
    for (const [key, row] of exchanged(upper, lower, placed.row)) placed.row.set(key, row);
    swapped = true;
  }
  return swapped;
}

/** Rows of both blocks' members after the swap. */
function exchanged(upper: Block, lower: Block, row: ReadonlyMap<string, number>): Map<string, number> {
  const moved = (block: Block, by: number): [string, number][] =>
    block.members.map((key) => [key, (row.get(key) ?? 0) + by]);
  return new Map([...moved(upper, lower.members.length), ...moved(lower, -upper.members.length)]);
}

/** Cost reduction of swapping these neighbours. */
function gain(upper: Block, lower: Block, column: number, placed: Placed): number {
  const [above, below] = [rowsByColumn(upper, placed), rowsByColumn(lower, placed)];
  let better = 0;
  for (const [other, rows] of above) {
    const theirs = below.get(other);
    if (other !== column && theirs) better += inversions(rows, theirs) - inversions(theirs, rows);
  }
  if (!above.has(column) && !below.has(column)) return better;
  const after = exchanged(upper, lower, placed.row);
  return (
    better +
    ownColumn([upper, lower], column, placed, new Map()) -
    ownColumn([upper, lower], column, placed, after)
  );
}

/** Where the lines of a block end: rows by column, each sorted. */
function rowsByColumn(block: Block, { columnOf, row, neighbours }: Placed): Map<number, number[]> {
  const ends = new Map<number, number[]>();
  for (const key of block.members.flatMap((member) => neighbours.get(member) ?? [])) {
    const column = columnOf.get(key) ?? 0;
    const rows = ends.get(column);
    if (rows) rows.push(row.get(key) ?? 0);
    else ends.set(column, [row.get(key) ?? 0]);
  }
  for (const rows of ends.values()) rows.sort((a, b) => a - b);
  return ends;
}

/** Pairs of a row of the first list that is below a row of the second; both sorted. */
function inversions(first: readonly number[], second: readonly number[]): number {
  let [count, passed] = [0, 0];
  for (const row of first) {
    while (passed < second.length && (second[passed] ?? 0) < row) passed += 1;
    count += passed;
  }
  return count;
}

/** Cost of the blocks' lines within their column; `rows` override the current ones. */
function ownColumn(
  blocks: readonly Block[],
  column: number,
  { columnOf, row, neighbours }: Placed,
  rows: ReadonlyMap<string, number>,
): number {
  const rowOf = (key: string): number => rows.get(key) ?? row.get(key) ?? 0;
  const own = new Set(blocks.flatMap((block) => block.members));
  let cost = 0;
  for (const key of own) {
    for (const other of neighbours.get(key) ?? []) {
      // A line between two members is counted at both ends.
      const weight = own.has(other) ? 0.5 : 1;
      if (columnOf.get(other) === column)
        cost += weight * THROUGH_A_NODE * (Math.abs(rowOf(key) - rowOf(other)) - 1);
    }
  }
  return cost;
}
