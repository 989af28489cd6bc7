/** Sentences about lists of paths. Pure. */
import type { Path } from "@/api/types";
import { factSpec } from "@/ui/FactMark";
import { isPreferred, isRerouted } from "@/util/paths";
import { count, partOf } from "@/util/units";

/** A path, or a group of so many. */
export interface Counted extends Pick<Path, "in_force" | "end_to_end" | "placement" | "standby"> {
  readonly paths?: number;
}

export const total = (rows: readonly Counted[]): number =>
  rows.reduce((sum, { paths = 1 }) => sum + paths, 0);

/** `7 of 10 paths on a fallback, 2 dead, 3 with standby not verified.` */
export function pathsHeadline(listed: readonly Counted[]): string {
  if (listed.length === 0) return "No failover policies defined.";
  const deployed = listed.filter(({ in_force }) => in_force !== false);
  if (deployed.length === 0) return "No policy is deployed yet: all paths are of drafts.";
  const all = total(deployed);
  const number = (matches: (row: Counted) => boolean): number => total(deployed.filter(matches));
  const fallen = number(isRerouted);
  const preferred = number(isPreferred);
  const parts = [
    ...(fallen > 0
      ? [`${partOf(fallen, all, "path")} on a fallback`]
      : [`${preferred === all ? "All" : `${preferred} of`} ${count(all, "path")} on the preferred gateway`]),
    ...(["dead", "unverified", "unknown"] as const).flatMap((state) => {
      const those = number(({ end_to_end }) => end_to_end === state);
      return those === 0 ? [] : [`${those} ${factSpec("end_to_end", state).label}`];
    }),
  ];
  const held = number(({ placement }) => placement === "held");
  if (held > 0) parts.push(`${held} on held nodes`);
  const drafts = total(listed) - all;
  if (drafts > 0) parts.push(`${count(drafts, "path")} of drafts`);
  return `${[...parts, ...standbyParts(deployed)].join(", ")}.`;
}

function standbyParts(rows: readonly Counted[]): string[] {
  const verified = rows.every(({ standby }) => standby === "verified");
  if (verified) return [`all with ${factSpec("standby", "verified").label}`];
  return (["dead", "not verified", "none"] as const).flatMap((state) => {
    const those = total(rows.filter(({ standby }) => standby === state));
    return those === 0 ? [] : [`${those} with ${factSpec("standby", state).label}`];
  });
}
