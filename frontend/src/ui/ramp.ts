/**
 * The utilisation ramp: which of nine classes a link's load falls in, and that class's colour.
 *
 * The span edges are PHP Weathermap's, which operators know by heart. Its rainbow is not kept: these colours rise
 * (dark theme) or fall (light theme) in lightness with every class, so that "fuller" is also readable in grey, and
 * neighbours stay CIEDE2000 >= 10 apart for normal, protan, deutan and tritan eyes (`ramp.test.ts` proves both).
 */

import { NEARLY_FULL } from "@/util/units";

export type Scheme = "dark" | "light";

/**
 * Lower edges of classes 2..8; class 0 is exactly nothing, class 1 is more than nothing and less than the first. One
 * edge is the threshold, so that a nearly full link has another colour than one that is not.
 */
const EDGES = [0.01, 0.1, 0.25, 0.4, 0.55, NEARLY_FULL, 0.85] as const;

export const RAMP: Readonly<Record<Scheme, readonly string[]>> = {
  dark: ["#071931", "#113a5e", "#285b85", "#4679a2", "#6b95b0", "#8ea1a3", "#a8af90", "#c6bf74", "#f1d147"],
  light: ["#f2fef2", "#c8eef4", "#8dd2ed", "#61abd0", "#4a87ad", "#496987", "#504e5e", "#533433", "#501903"],
};

/** The class, 0..8, of a utilisation given as 0..1 of the usable rate; measuring error above 1 stays in class 8. */
export function rampClass(utilisation: number): number {
  if (!(utilisation > 0)) return 0;
  return 1 + EDGES.filter((edge) => utilisation >= edge).length;
}

/** The colour of a utilisation, as #rrggbb. */
export function rampColour(utilisation: number, scheme: Scheme): string {
  return RAMP[scheme][rampClass(utilisation)] ?? "#000000";
}

interface RampSpan {
  readonly label: string;
  readonly colour: string;
  /** Utilisation at which the span begins, 0..1. */
  readonly from: number;
}

/** What a legend shows: nine spans from empty to full, labelled in per cent. */
export function rampSpans(scheme: Scheme): RampSpan[] {
  const bounds = [0, ...EDGES, 1].map((edge) => Math.round(edge * 100));
  return RAMP[scheme].map((colour, index) => ({
    colour,
    label: index === 0 ? "0" : `${bounds[index - 1]}–${bounds[index]}`,
    from: index < 2 ? 0 : (EDGES[index - 2] ?? 0),
  }));
}
