/**
 * Derived state of links and nodes on the map: down, unknown, line style, glyph.
 */

import type { MapLink, MapNode } from "./mapModel";
import type { Glyph, Stroke } from "@/ui/graph/scene";

const GLYPHS: Readonly<Record<string, Glyph>> = {
  host: "host",
  switch: "switch",
  router: "router",
  gateway: "gateway",
  fabric: "fabric",
  group: "group",
};

const carriesTraffic = ({ forward, back }: MapLink): boolean => (forward?.bps ?? 0) + (back?.bps ?? 0) > 0;

export const rules = {
  /** A path over it is dead or one of its ports is down. A saturated link is critical too, but carries traffic. */
  isDown: (link: MapLink): boolean =>
    link.carries === "dead" || (link.state === "critical" && !carriesTraffic(link)),

  /** No current data. */
  isUnknown: (link: MapLink): boolean =>
    link.state === "unknown" || (link.forward === null && link.back === null),

  stroke(link: MapLink): Stroke {
    if (rules.isDown(link)) return "down";
    if (rules.isUnknown(link)) return "unknown";
    return link.carries === "standby" ? "standby" : "active";
  },

  glyph: (node: MapNode): Glyph => GLYPHS[node.kind] ?? "host",

  /** Utilisation of the busier direction, 0..1; 0 without data. */
  fullest: (link: MapLink): number => Math.max(link.forward?.utilisation ?? 0, link.back?.utilisation ?? 0),
} as const;

/** Labels of the line styles. */
export const STROKE_LABELS: Readonly<Record<Stroke, string>> = {
  active: "in use",
  standby: "standby",
  down: "down",
  unknown: "unknown",
};

export const TIER_LABELS: Readonly<Record<number, string>> = {
  0: "Cluster",
  1: "Fabrics",
  2: "Gateways",
  3: "Outside",
};
