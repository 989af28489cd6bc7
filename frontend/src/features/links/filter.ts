/** Headline of the link list. Pure. */
import type { Link } from "@/api/types";
import { count, greater, NEARLY_FULL, percent } from "@/util/units";

/** The greater utilisation of both directions, 0..1. */
export function utilisation({ forward, back }: Link): number | null {
  return greater(forward, back);
}

export function linksHeadline(links: readonly Link[]): string {
  const full = links.filter((link) => (utilisation(link) ?? 0) >= NEARLY_FULL);
  const down = links.filter(({ state }) => state === "critical");
  const unknown = links.filter(({ state }) => state === "unknown");
  const parts = [
    full.length === 0
      ? `No link is above ${percent(NEARLY_FULL)} of its usable rate`
      : `${full.length} of ${count(links.length, "link")} above ${percent(NEARLY_FULL)} of the usable rate`,
    ...(down.length === 0 ? [] : [`${down.length} critical`]),
    ...(unknown.length === 0 ? [] : [`${unknown.length} not reporting`]),
  ];
  return `${parts.join(", ")}.`;
}
