/**
 * Line style of links and glyph of nodes on the map. The states are the API's; nothing is derived from load or incidents.
 */

import { isLinkDown, type MapLink, type MapNode } from "./mapModel";
import { factSpec } from "@/ui/FactMark";
import type { Glyph, Stroke } from "@/ui/graph/scene";

const GLYPHS: Readonly<Record<string, Glyph>> = {
  host: "host",
  switch: "switch",
  router: "router",
  gateway: "gateway",
  fabric: "fabric",
  group: "group",
};

const STANDBY: ReadonlySet<MapLink["carries"]> = new Set(["standby_verified", "standby_not_verified"]);

export const rules = {
  /** A port of it has no carrier. */
  isDown: (link: MapLink): boolean => isLinkDown(link),

  /** A dead path uses it, and no working one. */
  isDead: ({ carries }: MapLink): boolean => carries === "dead",

  /** No current data, or the state of an end is not known. */
  isUnknown: (link: MapLink): boolean =>
    link.state === "unknown" || (link.forward === null && link.back === null),

  stroke(link: MapLink): Stroke {
    if (rules.isDown(link)) return "down";
    if (rules.isDead(link)) return "dead";
    if (rules.isUnknown(link)) return "unknown";
    if (link.carries === "standby_dead") return "standby_dead";
    return STANDBY.has(link.carries) ? "standby" : "active";
  },

  glyph: (node: MapNode): Glyph => GLYPHS[node.kind] ?? "host",

  /** Utilisation of the busier direction, 0..1; 0 without data. */
  fullest: (link: MapLink): number => Math.max(link.forward?.utilisation ?? 0, link.back?.utilisation ?? 0),
} as const;

/** Labels of the line styles. */
export const STROKE_LABELS: Readonly<Record<Stroke, string>> = {
  active: "in use",
  standby: "standby",
  standby_dead: factSpec("link_use", "standby_dead").label,
  dead: `${factSpec("link_use", "dead").label} path`,
  down: factSpec("carrier", "down").label,
  unknown: factSpec("carrier", "unknown").label,
};

export const TIER_LABELS: Readonly<Record<number, string>> = {
  0: "Cluster",
  1: "Fabrics",
  2: "Gateways",
  3: "Outside",
};
