/**
 * What things mean on the map, each question answered once: is this link down, is it known, what is its line like.
 */

import type { DrawnLink, DrawnNode } from "./drawn";
import type { Glyph, Stroke } from "@/ui/graph/scene";

const GLYPHS: Readonly<Record<string, Glyph>> = {
  host: "host",
  switch: "switch",
  router: "router",
  gateway: "gateway",
  fabric: "fabric",
  group: "group",
};

const carriesTraffic = ({ forward, back }: DrawnLink): boolean => (forward?.bps ?? 0) + (back?.bps ?? 0) > 0;

export const rules = {
  /** A path over it is dead, or a port of it is down. A full link is critical too, but it carries something. */
  isDown: (link: DrawnLink): boolean =>
    link.carries === "dead" || (link.state === "critical" && !carriesTraffic(link)),

  /** Nothing recent is known about it. */
  isUnknown: (link: DrawnLink): boolean =>
    link.state === "unknown" || (link.forward === null && link.back === null),

  stroke(link: DrawnLink): Stroke {
    if (rules.isDown(link)) return "down";
    if (rules.isUnknown(link)) return "unknown";
    return link.carries === "standby" ? "standby" : "active";
  },

  glyph: (node: DrawnNode): Glyph => GLYPHS[node.kind] ?? "host",

  /** The fuller direction, 0..1; 0 when nothing is known. */
  fullest: (link: DrawnLink): number => Math.max(link.forward?.utilisation ?? 0, link.back?.utilisation ?? 0),
} as const;

/** What a line is for, in a word or two, as legend, panel and table say it. */
export const STROKE_WORDS: Readonly<Record<Stroke, string>> = {
  active: "in use",
  standby: "standby",
  down: "down",
  unknown: "unknown",
};

export const CARRIES_LABELS: Readonly<Record<DrawnLink["carries"], string>> = {
  active: "active path",
  standby: "standby path",
  dead: "dead path",
  none: "no policy",
};

export const TIER_WORDS: Readonly<Record<number, string>> = {
  0: "Cluster",
  1: "Fabrics",
  2: "Gateways",
  3: "Outside",
};
