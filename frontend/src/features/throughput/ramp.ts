/** The utilisation ramp as CSS variables, with a readable text colour for every class. */
import type { CSSProperties } from "react";
import { textColour } from "./contrast";
import { RAMP, type Scheme } from "@/ui/ramp";

/** Variables of one element, so that a change of theme redraws no cell. */
export function rampStyle(scheme: Scheme): CSSProperties {
  return Object.fromEntries(
    RAMP[scheme].flatMap((colour, at) => [
      [`--ramp-${at}`, colour],
      [`--text-${at}`, textColour(colour)],
    ]),
  );
}
