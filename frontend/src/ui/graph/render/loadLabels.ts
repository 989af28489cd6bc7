/** Utilisation labels of links that are nearly full, selected or requested. */

import { NEARLY_FULL } from "@/util/units";
import type { Point } from "../interaction/hit";
import { type Box, Occupancy, type PlacedLabel } from "./labelPlacement";
import type { HalfLoad, SceneLink } from "../scene";
import { along, type OverlayView } from "../screen";

const MOST_FIGURES = 60;
const FIGURE_FROM_LENGTH = 90;

interface Figure {
  readonly at: Point;
  readonly load: HalfLoad;
  readonly isMarked: boolean;
}

/** Labels of the halves, fullest first, where there is room. */
export function drawFigures(
  context: CanvasRenderingContext2D,
  view: OverlayView,
  labels: readonly PlacedLabel[],
): void {
  const taken = new Occupancy();
  for (const label of labels) taken.add(label, label.key);
  for (const { at, load, isMarked } of figuresOf(view)) {
    const box = figureBox(context, at, load.text, view);
    if (!isMarked && taken.blocks(box, "figure")) continue;
    taken.add(box, `${at.x} ${at.y}`);
    drawFigure(context, box, load.text, view);
  }
}

function figuresOf({ links, marked, isNear }: OverlayView): Figure[] {
  const figures = links.flatMap(({ link, from, to }): Figure[] => {
    const known = link.stroke !== "down" && link.stroke !== "unknown";
    if (!known || Math.hypot(to.x - from.x, to.y - from.y) < FIGURE_FROM_LENGTH) return [];
    const isMarked = marked.has(link.key);
    const halves = [
      { load: link.forward, at: along(from, to, 0.27) },
      { load: link.back, at: along(from, to, 0.73) },
    ];
    return halves.flatMap(({ load, at }) =>
      load && wantsFigure(link, load, isMarked, isNear) ? [{ load, at, isMarked }] : [],
    );
  });
  return figures
    .toSorted((a, b) => Number(b.isMarked) - Number(a.isMarked) || b.load.utilisation - a.load.utilisation)
    .slice(0, MOST_FIGURES);
}

/** Whether the utilisation of a half is drawn where there is room; near by, that of every link. */
export function wantsFigure(link: SceneLink, load: HalfLoad, isMarked: boolean, isNear: boolean): boolean {
  if (isMarked || link.emphasis === "strong") return true;
  return link.emphasis === "normal" && (isNear || load.utilisation >= NEARLY_FULL);
}

function figureBox(context: CanvasRenderingContext2D, at: Point, text: string, { font }: OverlayView): Box {
  context.font = `600 11px ${font}`;
  const half = context.measureText(text).width / 2 + 4;
  return { left: at.x - half, right: at.x + half, top: at.y - 8, bottom: at.y + 8 };
}

function drawFigure(
  context: CanvasRenderingContext2D,
  box: Box,
  text: string,
  { palette }: OverlayView,
): void {
  context.globalAlpha = 1;
  context.textAlign = "center";
  context.fillStyle = palette.surface;
  context.strokeStyle = palette.casing;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, 16, 3);
  context.fill();
  context.stroke();
  context.fillStyle = palette.text;
  context.fillText(text, (box.left + box.right) / 2, box.top + 12);
}
