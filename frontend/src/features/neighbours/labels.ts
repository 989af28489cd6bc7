/** Neighbour tables in words: how they stand together, by whom one fills. */
import type { NeighbourTable } from "@/api/neighbours";
import { count, percent } from "@/util/units";

export const entryCount = ({ ipv4, ipv6 }: NeighbourTable): number => ipv4 + ipv6;

/** The capacity that the fuller family has; null when nobody knows. */
export function capacityOf({ ipv4, ipv6, capacity_ipv4, capacity_ipv6 }: NeighbourTable): number | null {
  const shares = [[ipv4, capacity_ipv4] as const, [ipv6, capacity_ipv6] as const].filter(
    (share): share is readonly [number, number] => share[1] !== null,
  );
  const fullest = shares.toSorted(([a, ofA], [b, ofB]) => b / ofB - a / ofA)[0];
  return fullest?.[1] ?? null;
}

/** Whose frames come in, once there are enough to tell: `onyx1:hip0, 98 %`. */
export function formatTopSender({ talker, talker_owner, talker_share }: NeighbourTable): string {
  if (talker === "") return "";
  return `${talker_owner || talker}, ${Math.round(talker_share * 100)}\u00a0%`;
}

/** Where most of the entries point; one entry each is nowhere in particular. */
export function formatTopHolder(table: NeighbourTable): string {
  const { top_mac, top_mac_entries, top_owner } = table;
  if (top_mac === "" || top_mac_entries < 2) return "";
  return `${top_owner || top_mac}, ${top_mac_entries} of ${entryCount(table)}`;
}

/** One sentence about all: what is wrong, else how many there are and how full the fullest is. */
export function headline(tables: readonly NeighbourTable[], duplicates: number): string {
  const wrong = new Set(tables.flatMap(({ incidents }) => incidents.map(({ title }) => title)));
  const twice =
    duplicates === 0 ? "" : ` ${count(duplicates, "address", "addresses")} at more than one place.`;
  if (wrong.size > 0)
    return `${[...wrong][0]}${wrong.size > 1 ? `, and ${wrong.size - 1} more` : ""}.${twice}`;
  if (tables.length === 0) return twice === "" ? "No device has told of its tables yet." : twice.trim();
  const fullest = tables.toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1))[0];
  const full =
    fullest?.share == null ? "" : `, the fullest ${percent(fullest.share)} (${fullest.node}:${fullest.port})`;
  return `${count(tables.length, "port")}${full}.${twice}`;
}
