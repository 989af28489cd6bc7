/** Headline of the map. Pure. */

import type { Path, Topology, TopologyLink } from "@/api/types";
import { factSpec } from "@/ui/FactMark";
import { isRerouted } from "@/util/paths";
import { capital } from "@/util/text";
import { count, NEARLY_FULL, partOf, percent } from "@/util/units";
import { isLinkDown } from "./mapModel";

/** The paths of a site that its headline is about. */
export interface HeadlinePaths {
  readonly paths: readonly Path[];
  /** Number of paths in force of the site; null: unknown, `paths` has only those with a fault. */
  readonly total: number | null;
  /** Whether there are no more such paths than in `paths`. */
  readonly isComplete: boolean;
}

/** Utilisation of the busier direction by current data, 0..1. */
function fullest({ forward, back }: TopologyLink): number {
  const share = (load: TopologyLink["forward"]): number => (load?.fresh === true ? load.utilisation : 0);
  return Math.max(share(forward), share(back));
}

/** Counts links of the network, whatever the map draws: links down, paths dead, on a fallback or with all standbys dead, links nearly full and nodes not reporting; else the highest utilisation. */
export function headline(
  topology: Topology,
  { paths, total, isComplete }: HeadlinePaths,
  stale: boolean,
): string {
  if (stale) return "No live data: the map is outdated.";
  const silent = topology.nodes
    .filter((node) => node.kind !== "fabric" && node.state === "unknown")
    .map((node) => node.name);
  const down = topology.links.filter(isLinkDown).length;
  const used = paths.filter((path) => path.in_force);
  const dead = used.filter((path) => path.end_to_end === "dead").length;
  const fallback = used.filter(isRerouted).length;
  const bare = used.filter((path) => path.end_to_end !== "dead" && path.standby === "dead").length;
  const full = topology.links.filter((link) => fullest(link) >= NEARLY_FULL && !isLinkDown(link));
  const most = topology.links.reduce((found, link) => Math.max(found, fullest(link)), 0);
  const counted = (number: number): string => {
    const least = isComplete ? "" : "at least ";
    return total === null ? `${least}${count(number, "path")}` : `${partOf(number, used.length, "path")}`;
  };
  const parts = [
    down > 0 ? `${count(down, "link")} down` : "",
    dead > 0 ? `${counted(dead)} dead` : "",
    fallback > 0 ? `${counted(fallback)} on a fallback` : "",
    bare > 0 ? `${bare} with ${factSpec("standby", "dead").label}` : "",
    full.length > 0
      ? `${count(full.length, "link")} nearly full (max. ${percent(Math.max(0, ...full.map(fullest)))})`
      : "",
    silent.length > 0 ? `not reporting: ${list(silent)}` : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return `${capital(parts.join("; "))}.`;
  const up = topology.links.filter(({ carrier }) => carrier === "up").length;
  const links = count(topology.links.length, "link");
  const which = up === topology.links.length ? `All ${links} are up` : `${up} of ${links} are up`;
  return `${which}; max. utilisation ${percent(most)}.`;
}

function list(names: readonly string[]): string {
  return names.length <= 3
    ? names.join(", ")
    : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
