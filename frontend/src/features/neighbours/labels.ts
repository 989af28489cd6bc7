/** Labels and summary of neighbour tables. */
import type { NeighbourTable } from "@/api/neighbours";
import { count, percent } from "@/util/units";

export const entryCount = ({ ipv4, ipv6 }: NeighbourTable): number => ipv4 + ipv6;

/** Capacity of the address family with the higher utilisation; null when unknown. */
export function capacityOf({ ipv4, ipv6, capacity_ipv4, capacity_ipv6 }: NeighbourTable): number | null {
  const shares = [[ipv4, capacity_ipv4] as const, [ipv6, capacity_ipv6] as const].filter(
    (share): share is readonly [number, number] => share[1] !== null,
  );
  const fullest = shares.toSorted(([a, ofA], [b, ofB]) => b / ofB - a / ofA)[0];
  return fullest?.[1] ?? null;
}

/** The main broadcast source: `onyx1:hip0, 98 %`; empty below the reporting threshold. */
export function formatTopSender({ talker, talker_owner, talker_share }: NeighbourTable): string {
  if (talker === "") return "";
  return `${talker_owner || talker}, ${Math.round(talker_share * 100)}\u00a0%`;
}

/** The hardware address with most entries; empty when it has only one. */
export function formatTopHolder(table: NeighbourTable): string {
  const { top_mac, top_mac_entries, top_owner } = table;
  if (top_mac === "" || top_mac_entries < 2) return "";
  return `${top_owner || top_mac}, ${top_mac_entries} of ${entryCount(table)}`;
}

/** The page's headline: the first incident, else the highest utilisation. */
export function headline(tables: readonly NeighbourTable[], duplicates: number): string {
  const wrong = new Set(tables.flatMap(({ incidents }) => incidents.map(({ title }) => title)));
  const twice =
    duplicates === 0 ? "" : ` ${count(duplicates, "address", "addresses")} with several hardware addresses.`;
  if (wrong.size > 0)
    return `${[...wrong][0]}${wrong.size > 1 ? `, and ${wrong.size - 1} more` : ""}.${twice}`;
  if (tables.length === 0) return twice === "" ? "No neighbour tables reported yet." : twice.trim();
  const fullest = tables.toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1))[0];
  const full =
    fullest?.share == null
      ? ""
      : `, highest utilisation ${percent(fullest.share)} (${fullest.node}:${fullest.port})`;
  return `${count(tables.length, "port")}${full}.${twice}`;
}

/** Size of the trend line in px. */
export const TREND = { width: 72, height: 20 };

/** SVG points of the entry counts over time, scaled to the largest count. */
export function trendPoints(recent: NeighbourTable["recent"]): string {
  const times = recent.map(({ at }) => Date.parse(at));
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  const most = Math.max(1, ...recent.map(({ entries }) => entries));
  return recent
    .map(
      ({ entries }, index) =>
        `${((((times[index] ?? 0) - first) / span) * TREND.width).toFixed(1)},${(TREND.height - 2 - (entries / most) * (TREND.height - 4)).toFixed(1)}`,
    )
    .join(" ");
}
