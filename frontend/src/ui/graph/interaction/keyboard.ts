/**
 * Arrow key navigation: to the linked node in that direction, else to the nearest node in that direction.
 */

import type { Pair } from "../layout/order";
import type { Place } from "../layout/layout";

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const DIRECTIONS: Readonly<Record<Arrow, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function isArrow(key: string): key is Arrow {
  return key in DIRECTIONS;
}

/** The next node, or the same one if there is none in that direction; the top left one without a current node. */
export function steer(
  places: ReadonlyMap<string, Place>,
  pairs: readonly Pair[],
  current: string | null,
  arrow: Arrow,
): string | null {
  const here = current === null ? undefined : places.get(current);
  if (current === null || !here) return topLeft(places);
  const linked = new Set(pairs.filter((pair) => pair.includes(current)).flat());
  const vertical = DIRECTIONS[arrow][0] === 0;
  const candidates = [...places].filter(([key]) => key !== current);
  const column = candidates.filter(([, place]) => Math.abs(place.x - here.x) < 1e-6);
  const preferred = vertical ? column : candidates.filter(([key]) => linked.has(key));
  return nearest(preferred, here, arrow) ?? nearest(candidates, here, arrow) ?? current;
}

function topLeft(places: ReadonlyMap<string, Place>): string | null {
  const sorted = [...places].toSorted(([, a], [, b]) => a.x - b.x || a.y - b.y);
  return sorted[0]?.[0] ?? null;
}

function nearest(
  candidates: readonly (readonly [string, Place])[],
  here: Place,
  arrow: Arrow,
): string | null {
  const [wx, wy] = DIRECTIONS[arrow];
  const scored = candidates.flatMap(([key, place]) => {
    const [dx, dy] = [place.x - here.x, place.y - here.y];
    const ahead = dx * wx + dy * wy;
    const aside = Math.abs(dx * wy) + Math.abs(dy * wx);
    return ahead > 1e-6 ? [{ key, cost: ahead + 2 * aside }] : [];
  });
  return scored.toSorted((a, b) => a.cost - b.cost)[0]?.key ?? null;
}
