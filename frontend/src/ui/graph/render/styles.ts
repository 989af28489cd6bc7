/**
 * Maps a scene to colours, radii, widths and alpha, for the canvas and the static graph.
 */

import { NEARLY_FULL } from "@/util/units";
import { rampColour, type Scheme } from "@/ui/ramp";
import type { Palette } from "./palette";
import type { Emphasis, Glyph, HalfLoad, SceneLink, SceneNode, Stroke } from "../scene";

const RADIUS: Readonly<Record<Glyph, number>> = {
  host: 11,
  switch: 12,
  router: 14,
  gateway: 15,
  fabric: 17,
  group: 16,
};
const ALPHA: Readonly<Record<Emphasis, number>> = { strong: 1, normal: 1, dim: 0.16 };

interface NodeStyle {
  readonly radius: number;
  readonly fill: string;
  readonly border: string;
}

interface LinkStyle {
  readonly width: number;
  readonly forward: string;
  readonly back: string;
  readonly outline: string;
  readonly outlinePx: number;
  readonly alpha: number;
  /** Nearly full: outlined and drawn above others. */
  readonly full: boolean;
}

/** A node's style; the scale is the frame's. */
export function nodeStyle(node: SceneNode, palette: Palette, scale: number): NodeStyle {
  // A dimmed node stays opaque: lines below it must not show through.
  const back = node.emphasis === "dim" ? 0.75 : 0;
  return {
    radius: Math.max(2.2, RADIUS[node.glyph] * scale),
    fill: mix(palette.nodeFill, palette.surface, back),
    border: mix(palette.tone[node.tone], palette.surface, back),
  };
}

/** A link's style; the scale is the frame's. An emphasised line is slightly wider. */
export function linkStyle(link: SceneLink, palette: Palette, scheme: Scheme, scale: number): LinkStyle {
  const fullest = Math.max(link.forward?.utilisation ?? 0, link.back?.utilisation ?? 0);
  const full = link.stroke === "active" && fullest >= NEARLY_FULL;
  const outline = strokeTone(link.stroke, palette) ?? (full ? palette.casingFull : palette.casing);
  return {
    width: link.width * scale * (link.emphasis === "strong" ? 1.25 : 1),
    forward: halfColour(link, link.forward, palette, scheme),
    back: halfColour(link, link.back, palette, scheme),
    outline,
    outlinePx: full ? 1.4 : 0.9,
    alpha: ALPHA[link.emphasis],
    full,
  };
}

/** Blends two `#rrggbb` colours. */
export function mix(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const [a, b] = [from, to].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Colour of a line by its state; null: by its load. */
function strokeTone(stroke: Stroke, palette: Palette): string | null {
  if (stroke === "down" || stroke === "dead") return palette.tone.critical;
  return stroke === "standby_dead" ? palette.tone.warning : null;
}

function halfColour(link: SceneLink, load: HalfLoad | null, palette: Palette, scheme: Scheme): string {
  const tone = strokeTone(link.stroke, palette);
  if (tone !== null) return tone;
  if (link.stroke === "unknown" || !load) return palette.unknownFill;
  return rampColour(load.utilisation, scheme);
}
