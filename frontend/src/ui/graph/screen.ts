/** A scene in screen coordinates (CSS px, y downwards), for the overlay and hit testing. */

import { type Point, shifted } from "./interaction/hit";
import type { Palette } from "./render/palette";
import type { TextSprites } from "./render/textSprites";
import type { Glyph, Scene, SceneLink, SceneNode, Tone } from "./scene";

/** A node in screen coordinates. */
export interface ScreenNode extends Point {
  readonly node: SceneNode;
  readonly radius: number;
}

/** A link in screen coordinates: between node centres, with its parallel shift. */
export interface ScreenLink {
  readonly link: SceneLink;
  readonly from: Point;
  readonly to: Point;
  readonly width: number;
}

/** The frame of an open group in screen coordinates. */
export interface ScreenBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly tone: Tone;
}

export interface OverlayView {
  readonly scene: Scene;
  readonly nodes: readonly ScreenNode[];
  readonly links: readonly ScreenLink[];
  /** Frames of open groups. */
  readonly boxes: readonly ScreenBox[];
  readonly headings: readonly { readonly x: number; readonly text: string }[];
  readonly palette: Palette;
  readonly font: string;
  readonly sprites: TextSprites;
  /** Selected, focused or hovered keys: always labelled. */
  readonly marked: ReadonlySet<string>;
  /** Part of a large network fills the area: every visible link shows its utilisation. */
  readonly isNear: boolean;
  /** Focused node. */
  readonly focused: string | null;
  readonly width: number;
  readonly height: number;
}

/** Half extents of a silhouette, as the shader draws it. */
export function reach(glyph: Glyph, radius: number): { reachX: number; reachY: number } {
  if (glyph === "fabric") return { reachX: radius * 0.6, reachY: radius * 1.45 };
  if (glyph === "switch") return { reachX: radius * 1.2, reachY: radius * 0.72 };
  return { reachX: radius, reachY: radius };
}

/** Whether a line between two points can cross the drawing area; `margin`: half its width and its marks, CSS px. */
export function mayCross(
  from: Point,
  to: Point,
  { width, height }: { readonly width: number; readonly height: number },
  margin: number,
): boolean {
  return (
    Math.max(from.x, to.x) >= -margin &&
    Math.min(from.x, to.x) <= width + margin &&
    Math.max(from.y, to.y) >= -margin &&
    Math.min(from.y, to.y) <= height + margin
  );
}

/** The point at a fraction of the distance. */
export function along(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** A link's line on screen, with the shader's parallel shift. */
export function screenLink(
  link: SceneLink,
  from: Point,
  to: Point,
  width: number,
  shift: number,
): ScreenLink {
  return { link, width, ...shifted(from, to, shift) };
}
