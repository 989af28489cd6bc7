/**
 * The layer above the network: labels, pictograms, badges, utilisation of nearly full links, tier headings.
 *
 * Text is on a 2D canvas: hinted, in the page's font, and only visible labels cost time.
 */

import { factSpec, type FactSpec } from "@/ui/FactMark";
import { drawFigures } from "./loadLabels";
import type { Point } from "../interaction/hit";
import type { PlacedLabel } from "./labelPlacement";
import { drawNames } from "./nodeNames";
import type { Palette } from "./palette";
import { drawPictogram } from "./pictograms";
import type { Stroke, Tone } from "../scene";
import { along, type OverlayView, reach, type ScreenLink, type ScreenNode } from "../screen";

const PICTOGRAM_FROM_RADIUS = 7;
const SIGN_FROM_LENGTH = 28;
const STATE_SIGN: Readonly<Record<Tone, string>> = {
  ok: "",
  warning: "!",
  critical: "×",
  unknown: "?",
  disabled: "–",
};

/** Draws the overlay and returns the labels' boxes in CSS px. */
export function drawOverlay(context: CanvasRenderingContext2D, view: OverlayView): PlacedLabel[] {
  context.clearRect(0, 0, view.width, view.height);
  context.lineJoin = "round";
  drawBoxes(context, view);
  drawHeadings(context, view);
  for (const screen of view.links) drawLinkSign(context, screen, view);
  for (const screen of view.nodes) {
    drawNodeMarks(context, screen, view.palette);
    if (screen.node.key === view.focused) drawFocus(context, screen, view.palette);
  }
  const labels = drawNames(context, view);
  drawFigures(context, view, labels);
  context.globalAlpha = 1;
  return labels;
}

/** Frames of open groups, in the colour of their state. */
function drawBoxes(context: CanvasRenderingContext2D, { boxes, palette }: OverlayView): void {
  context.lineWidth = 1;
  for (const { left, top, width, height, tone } of boxes) {
    context.strokeStyle = palette.tone[tone];
    context.beginPath();
    context.roundRect(left, top, width, height, 4);
    context.stroke();
  }
}

function drawHeadings(
  context: CanvasRenderingContext2D,
  { headings, palette, font, width }: OverlayView,
): void {
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

function drawNodeMarks(
  context: CanvasRenderingContext2D,
  { node, radius, x, y }: ScreenNode,
  palette: Palette,
): void {
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
  if (sign)
    disc(context, { x: x + reachX, y: y + reachY * 0.85 }, sign, palette.tone[node.tone], palette, size);
  if (node.badge > 0)
    disc(
      context,
      { x: x + reachX, y: y - reachY * 0.85 },
      String(node.badge),
      palette.tone.critical,
      palette,
      size,
    );
}

function drawFocus(
  context: CanvasRenderingContext2D,
  { node, radius, x, y }: ScreenNode,
  palette: Palette,
): void {
  const { reachX, reachY } = reach(node.glyph, radius);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(x - reachX - 6, y - reachY - 6, 2 * reachX + 12, 2 * reachY + 12, 6);
  context.stroke();
}

function disc(
  context: CanvasRenderingContext2D,
  at: Point,
  text: string,
  colour: string,
  palette: Palette,
  size: number,
): void {
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

/** States with a mark in the middle of the line. */
const SIGNS: Readonly<Partial<Record<Stroke, FactSpec>>> = {
  down: factSpec("carrier", "down"),
  dead: factSpec("link_use", "dead"),
  standby_dead: factSpec("link_use", "standby_dead"),
  unknown: factSpec("carrier", "unknown"),
};

/** Draws the state's mark in the middle of a line. */
function drawLinkSign(
  context: CanvasRenderingContext2D,
  { link, from, to, width }: ScreenLink,
  { palette, marked, scene, isNear }: OverlayView,
): void {
  const { stroke, badge } = link;
  const far = Math.hypot(to.x - from.x, to.y - from.y) > SIGN_FROM_LENGTH;
  // Hundreds of lines without data would hide the faults; they are hatched.
  const isHidden = stroke === "unknown" && scene.isLarge && !isNear;
  const sign = isHidden ? undefined : SIGNS[stroke];
  if (!far || (badge === 0 && sign === undefined)) return;
  context.globalAlpha = link.emphasis === "dim" && !marked.has(link.key) ? 0.2 : 1;
  const size = Math.min(7, Math.max(4.5, width));
  const text = sign?.glyph ?? String(badge);
  disc(context, along(from, to, 0.5), text, palette.tone[sign?.tone ?? "critical"], palette, size);
}
