/**
 * Mouse and touch on the canvas, as positions. Sigma's captors keep panning and zooming; its own search for what is under the
 * pointer is taken off them, because it reads the picture back from the graphics card at each move (see `hit.ts`).
 */

import type { Attributes } from "graphology-types";
import type { Sigma } from "sigma";
import type { MouseCoords, TouchCoords } from "sigma/types";

import type { Point } from "./hit";

interface PointerMessages {
  /** The pointer stands or moves over the canvas; null when it left, or drags. */
  readonly onMove: (at: Point | null) => void;
  readonly onClick: (at: Point) => void;
  /** Twice; whether something was there, else the canvas zooms in. */
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

/** Sends what the pointer does to the messages, until the sigma is killed. */
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
