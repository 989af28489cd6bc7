/**
 * The stages of a multi-stage switch fabric: leaves, on which hosts hang, and behind them spines, on which only switches do. In one
 * column their lines would run up and down through each other; side by side the picture is the fat-tree that was built.
 */

import type { LayoutNode } from "./layout";
import type { Pair } from "./order";

/** The tier that switches stand in. */
export const SWITCHES = 1;
/** A tier with fewer nodes than this is small enough to be read in one column. */
const SMALL = 12;

/** Stage of each switch, 0 for leaves; all in stage 0 where there is but one, or nothing to tell them apart by. */
export function stagesOf(nodes: readonly LayoutNode[], pairs: readonly Pair[]): ReadonlyMap<string, number> {
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

/** How many links each switch is away from the nearest leaf; what no leaf leads to stands with the leaves. */
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
