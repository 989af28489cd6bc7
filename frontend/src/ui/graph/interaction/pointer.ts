/**
 * Mouse and touch positions on the canvas. Sigma's captors handle panning and zooming; its picking is disabled, because
 * it reads pixels back at each move (see `hit.ts`).
 */

import type { Attributes } from "graphology-types";
import type { Sigma } from "sigma";
import type { MouseCoords, TouchCoords } from "sigma/types";

import type { Point } from "./hit";

interface PointerMessages {
  /** The pointer over the canvas; null after it left or while it drags. */
  readonly onMove: (at: Point | null) => void;
  readonly onClick: (at: Point) => void;
  /** Double click; returns whether it hit something, else the canvas zooms in. */
  readonly onOpen: (at: Point) => boolean;
}

const REPLACED_BY_MOUSE = [
  "mousemove",
  "mousemovebody",
  "click",
  "doubleClick",
  "rightClick",
  "mousedown",
  "mouseup",
  "mouseleave",
  "wheel",
] as const;
const REPLACED_BY_TOUCH = ["touchdown", "touchup", "touchmove", "tap", "doubletap"] as const;

/** Forwards pointer events until sigma is destroyed. */
export function listenToPointer<N extends Attributes, E extends Attributes>(
  sigma: Sigma<N, E>,
  messages: PointerMessages,
): void {
  const [mouse, touch] = [sigma.getMouseCaptor(), sigma.getTouchCaptor()];
  for (const event of REPLACED_BY_MOUSE) mouse.removeAllListeners(event);
  for (const event of REPLACED_BY_TOUCH) touch.removeAllListeners(event);
  const open = (coords: MouseCoords | TouchCoords, at: Point | undefined): void => {
    if (at && messages.onOpen(at)) coords.sigmaDefaultPrevented = true;
  };
  mouse.on("mousemove", (coords) => messages.onMove(mouse.isMoving ? null : coords));
  mouse.on("mouseleave", () => messages.onMove(null));
  mouse.on("click", messages.onClick);
  mouse.on("doubleClick", (coords) => open(coords, coords));
  touch.on("tap", ({ touches }) => touches[0] && messages.onClick(touches[0]));
  touch.on("doubletap", (coords) => open(coords, coords.touches[0]));
}
