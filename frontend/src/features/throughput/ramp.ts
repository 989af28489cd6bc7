/** The utilisation ramp as variables of one element, with an ink that can be read on each class. */
import type { CSSProperties } from "react";
import { textColour } from "./contrast";
import { RAMP, type Scheme } from "@/ui/ramp";

/** The theme's ramp as variables, so that a change of theme touches one element and no cell. */
export function rampStyle(scheme: Scheme): CSSProperties {
  return Object.fromEntries(
    RAMP[scheme].flatMap((colour, at) => [
      [`--ramp-${at}`, colour],
      [`--ink-${at}`, textColour(colour)],
    ]),
  );
}
