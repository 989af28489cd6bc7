/** The map's one sentence: what is true about the network right now. Pure. */

import type { Path, Topology } from "@/api/types";
import { count, percent } from "@/util/units";
import type { Drawn } from "./drawn";
import { rules } from "./rules";

const NEARLY_FULL = 0.7;

/** What is down first, then what runs on its fallback, then what is nearly full; else that all is well. */
export function headline(topology: Topology, drawn: Drawn, paths: readonly Path[], stale: boolean): string {
  if (stale) return "Live data stopped: nothing on this map is known to be true now.";
  const silent = topology.nodes
    .filter((node) => node.kind !== "fabric" && node.state === "unknown")
    .map((node) => node.name);
  const down = drawn.links.filter(rules.isDown).length;
  const fallback = paths.filter((path) => path.on_fallback).length;
  const full = drawn.links.filter((link) => rules.fullest(link) >= NEARLY_FULL && !rules.isDown(link));
  const parts = [
    down > 0 ? `${count(down, "link")} down` : "",
    fallback > 0 ? `${fallback} of ${count(paths.length, "path")} on their fallback` : "",
    full.length > 0
      ? `${count(full.length, "link")} nearly full, ${percent(Math.max(...full.map(rules.fullest)))} at most`
      : "",
    silent.length > 0 ? `no word from ${list(silent)}` : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return `${capital(parts.join("; "))}.`;
  const fullest = drawn.links.map(rules.fullest).reduce((most, share) => Math.max(most, share), 0);
  return `All ${count(topology.links.length, "link")} are up; the fullest carries ${percent(fullest)}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function list(names: readonly string[]): string {
  return names.length <= 3
    ? names.join(", ")
    : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
