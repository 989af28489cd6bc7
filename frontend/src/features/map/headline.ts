/** Headline of the map. Pure. */

import type { Path, Topology } from "@/api/types";
import { factSpec } from "@/ui/FactMark";
import { isRerouted } from "@/util/paths";
import { capital } from "@/util/text";
import { count, NEARLY_FULL, percent } from "@/util/units";
import type { MapModel } from "./mapModel";
import { rules } from "./rules";

/** Links down, paths dead, on a fallback or with all standbys dead, links nearly full and nodes not reporting; else the highest utilisation. */
export function headline(
  topology: Topology,
  model: MapModel,
  paths: readonly Path[],
  stale: boolean,
): string {
  if (stale) return "No live data: the map is outdated.";
  const silent = topology.nodes
    .filter((node) => node.kind !== "fabric" && node.state === "unknown")
    .map((node) => node.name);
  const down = model.links.filter(rules.isDown).length;
  const used = paths.filter((path) => path.in_force);
  const dead = used.filter((path) => path.end_to_end === "dead").length;
  const fallback = used.filter(isRerouted).length;
  const bare = used.filter((path) => path.end_to_end !== "dead" && path.standby === "dead").length;
  const full = model.links.filter((link) => rules.fullest(link) >= NEARLY_FULL && !rules.isDown(link));
  const parts = [
    down > 0 ? `${count(down, "link")} down` : "",
    dead > 0 ? `${dead} of ${count(used.length, "path")} dead` : "",
    fallback > 0 ? `${fallback} of ${count(used.length, "path")} on a fallback` : "",
    bare > 0 ? `${bare} with ${factSpec("standby", "dead").label}` : "",
    full.length > 0
      ? `${count(full.length, "link")} nearly full (max. ${percent(Math.max(...full.map(rules.fullest)))})`
      : "",
    silent.length > 0 ? `not reporting: ${list(silent)}` : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return `${capital(parts.join("; "))}.`;
  const fullest = model.links.map(rules.fullest).reduce((most, share) => Math.max(most, share), 0);
  const up = topology.links.filter(({ carrier }) => carrier === "up").length;
  const links = count(topology.links.length, "link");
  const which = up === topology.links.length ? `All ${links} are up` : `${up} of ${links} are up`;
  return `${which}; max. utilisation ${percent(fullest)}.`;
}

function list(names: readonly string[]): string {
  return names.length <= 3
    ? names.join(", ")
    : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
