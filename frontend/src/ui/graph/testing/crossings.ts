/** Counts crossings pairwise: slow and simple, the reference for the fast search. For tests. */

import type { Pair } from "../layout/order";
import { THROUGH_A_NODE } from "../layout/swaps";

/** Crossings, plus three for every node that a line within its own column would run through. */
export function countCrossings(columns: readonly (readonly string[])[], pairs: readonly Pair[]): number {
  const place = new Map<string, { column: number; row: number }>();
  columns.forEach((keys, column) => keys.forEach((key, row) => place.set(key, { column, row })));
  const lines = pairs.flatMap(([source, target]) => {
    const ends = [place.get(source), place.get(target)].filter((end) => end !== undefined);
    const [left, right] = ends.toSorted((a, b) => a.column - b.column);
    return left && right ? [{ left, right }] : [];
  });
  let cost = 0;
  lines.forEach((one, index) => {
    if (one.left.column === one.right.column)
      cost += THROUGH_A_NODE * (Math.abs(one.left.row - one.right.row) - 1);
    for (const other of lines.slice(index + 1)) {
      const sameGap = one.left.column === other.left.column && one.right.column === other.right.column;
      const crosses = (one.left.row - other.left.row) * (one.right.row - other.right.row) < 0;
      if (sameGap && crosses && one.left.column !== one.right.column) cost += 1;
    }
  });
  return cost;
}
