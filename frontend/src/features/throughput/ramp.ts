/** The utilisation ramp as CSS variables, with a readable text colour for every class. */
import type { CSSProperties } from "react";
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

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white text on a background colour, by contrast ratio (WCAG 2.2, relative luminance). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

export const textColour = (colour: string): string =>
  contrast(colour, "#000000") >= contrast(colour, "#ffffff") ? "#000000" : "#ffffff";
