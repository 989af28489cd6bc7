/**
 * What stands on top of the painted network: names, pictograms, badges, figures of nearly full links, tier headings.
 *
 * Text belongs on a 2D canvas: it is hinted, follows the page's font and costs only for what is in view.
 */

import { NEARLY_FULL, rampClass } from "../ramp";
import { placeLabels, type LabelWish, type PlacedLabel, type Side } from "./labels";
import { shifted, type Point } from "./hit";
import type { Palette } from "./palette";
import { drawPictogram } from "./pictograms";
import type { Glyph, HalfLoad, Scene, SceneLink, SceneNode, Tone } from "./scene";

/** A node as it stands on screen now. */
export interface ScreenNode extends Point {
  readonly node: SceneNode;
  readonly radius: number;
}

/** A link as it stands on screen now; the ends are node centres, moved aside as drawn. */
export interface ScreenLink {
  readonly link: SceneLink;
  readonly from: Point;
  readonly to: Point;
  readonly width: number;
}

export interface OverlayView {
  readonly scene: Scene;
  readonly nodes: readonly ScreenNode[];
  readonly links: readonly ScreenLink[];
  readonly headings: readonly { readonly x: number; readonly text: string }[];
  readonly palette: Palette;
  readonly font: string;
  /** Keys that are selected, focused or hovered: always named, always with figures. */
  readonly marked: ReadonlySet<string>;
  /** Node that the keyboard is on. */
  readonly focused: string | null;
  readonly width: number;
  readonly height: number;
}

const NAMED_FROM_RADIUS = 4.2;
const PICTOGRAM_FROM_RADIUS = 7;
const MOST_LABELS = 400;
const FIGURE_FROM_LENGTH = 90;
const STATE_SIGN: Readonly<Record<Tone, string>> = { ok: "", warning: "!", critical: "×", unknown: "?", disabled: "–" };

/** Draws the overlay and returns where the names went, in CSS px. */
export function drawOverlay(context: CanvasRenderingContext2D, view: OverlayView): PlacedLabel[] {
  context.clearRect(0, 0, view.width, view.height);
  context.lineJoin = "round";
  drawHeadings(context, view);
  for (const screen of view.links) drawLinkMarks(context, screen, view);
  for (const screen of view.nodes) {
    drawNodeMarks(context, screen, view.palette);
    if (screen.node.key === view.focused) drawFocus(context, screen, view.palette);
  }
  const labels = drawNames(context, view);
  context.globalAlpha = 1;
  return labels;
}

function drawHeadings(context: CanvasRenderingContext2D, { headings, palette, font, width }: OverlayView): void {
  context.font = `500 11px ${font}`;
  context.fillStyle = palette.muted;
  for (const { x, text } of headings) {
    const half = context.measureText(text).width / 2;
    const at = Math.min(Math.max(x, half + 8), width - half - 8);
    if (x < -half || x > width + half) continue;
    context.textAlign = "center";
    context.fillText(text, at, 16);
  }
}

/** Half extents of a silhouette, as the shader draws it. */
export function reach(glyph: Glyph, radius: number): { reachX: number; reachY: number } {
  if (glyph === "fabric") return { reachX: radius * 0.6, reachY: radius * 1.45 };
  if (glyph === "switch") return { reachX: radius * 1.2, reachY: radius * 0.72 };
  return { reachX: radius, reachY: radius };
}

function drawNodeMarks(context: CanvasRenderingContext2D, { node, radius, x, y }: ScreenNode, palette: Palette): void {
  context.globalAlpha = node.emphasis === "dim" ? 0.2 : 1;
  if (radius >= PICTOGRAM_FROM_RADIUS) {
    context.strokeStyle = palette.tone[node.tone];
    context.lineWidth = Math.max(1, radius * 0.1);
    drawPictogram(context, node.glyph, x, y, radius * (node.glyph === "fabric" ? 0.9 : 0.78));
  }
  const { reachX, reachY } = reach(node.glyph, radius);
  const size = Math.max(5, Math.min(7.5, radius * 0.6));
  if (radius < 3) return;
  const sign = STATE_SIGN[node.tone];
  if (sign) disc(context, { x: x + reachX, y: y + reachY * 0.85 }, sign, palette.tone[node.tone], palette, size);
  if (node.badge > 0) disc(context, { x: x + reachX, y: y - reachY * 0.85 }, String(node.badge), palette.tone.critical, palette, size);
}

function drawFocus(context: CanvasRenderingContext2D, { node, radius, x, y }: ScreenNode, palette: Palette): void {
  const { reachX, reachY } = reach(node.glyph, radius);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(x - reachX - 6, y - reachY - 6, 2 * reachX + 12, 2 * reachY + 12, 6);
  context.stroke();
}

function disc(context: CanvasRenderingContext2D, at: Point, text: string, colour: string, palette: Palette, size: number): void {
  context.beginPath();
  context.arc(at.x, at.y, size + 1.5, 0, Math.PI * 2);
  context.fillStyle = palette.surface;
  context.fill();
  context.beginPath();
  context.arc(at.x, at.y, size, 0, Math.PI * 2);
  context.fillStyle = colour;
  context.fill();
  context.fillStyle = palette.onTone;
  context.font = `700 ${Math.round(size * 1.5)}px sans-serif`;
  context.textAlign = "center";
  context.fillText(text, at.x, at.y + size * 0.52);
}

function drawLinkMarks(context: CanvasRenderingContext2D, screen: ScreenLink, view: OverlayView): void {
  const { link, from, to } = screen;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const marked = view.marked.has(link.key);
  context.globalAlpha = link.emphasis === "dim" && !marked ? 0.2 : 1;
  const { palette } = view;
  if (length > 28) {
    const size = Math.min(7, Math.max(4.5, screen.width));
    const middle = along(from, to, 0.5);
    if (link.stroke === "down") disc(context, middle, "×", palette.tone.critical, palette, size);
    else if (link.stroke === "unknown") disc(context, middle, "?", palette.tone.unknown, palette, size);
    else if (link.badge > 0) disc(context, middle, String(link.badge), palette.tone.critical, palette, size);
  }
  if (length < FIGURE_FROM_LENGTH || link.stroke === "down" || link.stroke === "unknown") return;
  if (wantsFigure(link, link.forward, marked)) figure(context, along(from, to, 0.27), link.forward.text, view);
  if (wantsFigure(link, link.back, marked)) figure(context, along(from, to, 0.73), link.back.text, view);
}

function wantsFigure(link: SceneLink, load: HalfLoad | null, marked: boolean): load is HalfLoad {
  if (!load) return false;
  return marked || link.emphasis === "strong" || (link.emphasis === "normal" && rampClass(load.utilisation) >= NEARLY_FULL);
}

function along(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function figure(context: CanvasRenderingContext2D, at: Point, text: string, { palette, font }: OverlayView): void {
  context.font = `600 11px ${font}`;
  context.textAlign = "center";
  const half = context.measureText(text).width / 2 + 4;
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.casing;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(at.x - half, at.y - 8, half * 2, 16, 3);
  context.fill();
  context.stroke();
  context.fillStyle = palette.text;
  context.fillText(text, at.x, at.y + 4);
}

function drawNames(context: CanvasRenderingContext2D, view: OverlayView): PlacedLabel[] {
  context.font = `500 12.5px ${view.font}`;
  const tiers = view.scene.nodes.map((node) => node.tier);
  const [first, last] = [Math.min(...tiers), Math.max(...tiers)];
  const wish = ({ node, radius, x, y }: ScreenNode): LabelWish => ({
    key: node.key,
    x,
    y,
    ...reach(node.glyph, radius),
    width: context.measureText(node.label).width,
    sides: sidesOf(node.tier, first, last),
  });
  const named = view.nodes
    .filter(({ node, radius }) => radius >= NAMED_FROM_RADIUS || view.marked.has(node.key))
    .toSorted((a, b) => rank(a.node, view) - rank(b.node, view))
    .slice(0, MOST_LABELS);
  const labels = placeLabels(named.map(wish), view.nodes.map(body));
  const byKey = new Map(named.map((screen) => [screen.node.key, screen.node]));
  context.textAlign = "left";
  context.strokeStyle = view.palette.surface;
  context.lineWidth = 4;
  for (const label of labels) {
    const node = byKey.get(label.key);
    if (!node) continue;
    context.globalAlpha = node.emphasis === "dim" && !view.marked.has(node.key) ? 0.3 : 1;
    context.fillStyle = view.palette.text;
    context.strokeText(node.label, label.left, label.top + 12);
    context.fillText(node.label, label.left, label.top + 12);
  }
  return labels;
}

const body = ({ node, radius, x, y }: ScreenNode): LabelWish => ({
  key: node.key, x, y, ...reach(node.glyph, radius), width: 0, sides: [],
});

function sidesOf(tier: number, first: number, last: number): Side[] {
  if (tier === first && first !== last) return ["left", "right", "below", "above"];
  if (tier === last && first !== last) return ["right", "left", "below", "above"];
  return ["below", "above", "right", "left"];
}

/** Who is named first where room is short: what is marked, what is in trouble, then gateways and fabrics, then hosts. */
function rank(node: SceneNode, { marked }: OverlayView): number {
  if (marked.has(node.key)) return 0;
  if (node.emphasis === "dim") return 5;
  if (node.emphasis === "strong" || node.badge > 0) return 1;
  return node.glyph === "host" ? 4 : 2;
}

/** A link's line on screen, moved aside as the shader moves it. */
export function screenLink(link: SceneLink, from: Point, to: Point, width: number, shift: number): ScreenLink {
  return { link, width, ...shifted(from, to, shift) };
}
