/**
 * Sideways shift of parallel links between the same two nodes.
 */

import { byName } from "./naturalOrder";

interface ParallelLink {
  readonly key: string;
  readonly source: string;
  readonly target: string;
  readonly width: number;
}

/** Clear space between two lines, CSS px. */
const GAP = 5;

/** Sideways shift of each link, CSS px, to the right of its own direction of travel; links alone in their pair get 0. */
export function sideways(links: readonly ParallelLink[]): Map<string, number> {
  const bundles = new Map<string, ParallelLink[]>();
  for (const link of links) {
    const pair = [link.source, link.target].toSorted().join("\n");
    const bundle = bundles.get(pair);
    if (bundle) bundle.push(link);
    else bundles.set(pair, [link]);
  }
  const shifts = new Map<string, number>();
  for (const bundle of bundles.values()) place(bundle, shifts);
  return shifts;
}

function place(bundle: readonly ParallelLink[], shifts: Map<string, number>): void {
  const total = bundle.reduce((sum, link) => sum + link.width + GAP, -GAP);
  let edge = -total / 2;
  for (const link of bundle.toSorted((a, b) => byName(a.key, b.key))) {
    // A link in the opposite direction has its right-hand side on the other side.
    const side = link.source < link.target ? 1 : -1;
    shifts.set(link.key, side * (edge + link.width / 2) + 0);
    edge += link.width + GAP;
  }
}
