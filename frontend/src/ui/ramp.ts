/**
 * The utilisation ramp: nine classes of load and their colours.
 *
 * The class limits are those of PHP Weathermap, familiar to operators, but not its colours: lightness rises (dark theme)
 * or falls (light theme) with every class, so that the order is visible in grey, and adjacent classes differ by
 * CIEDE2000 >= 10 for normal, protan, deutan and tritan vision (`ramp.test.ts` proves both).
 */

import { NEARLY_FULL } from "@/util/units";

export type Scheme = "dark" | "light";

/**
 * Lower limits of classes 2..8; class 0 is exactly 0, class 1 anything below the first limit. One limit is the
 * threshold, so that a nearly full link has another colour than one that is not.
 */
const EDGES = [0.01, 0.1, 0.25, 0.4, 0.55, NEARLY_FULL, 0.85] as const;

export const RAMP: Readonly<Record<Scheme, readonly string[]>> = {
  dark: ["#071931", "#113a5e", "#285b85", "#4679a2", "#6b95b0", "#8ea1a3", "#a8af90", "#c6bf74", "#f1d147"],
  light: ["#f2fef2", "#c8eef4", "#8dd2ed", "#61abd0", "#4a87ad", "#496987", "#504e5e", "#533433", "#501903"],
};

/** The class, 0..8, of a utilisation (1 = usable rate); measurement errors above 1 stay in class 8. */
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
  /** Lower limit of the span, 0..1. */
  readonly from: number;
}

/** Entries of the legend: nine spans labelled in per cent. */
export function rampSpans(scheme: Scheme): RampSpan[] {
  const bounds = [0, ...EDGES, 1].map((edge) => Math.round(edge * 100));
  return RAMP[scheme].map((colour, index) => ({
    colour,
    label: index === 0 ? "0" : `${bounds[index - 1]}–${bounds[index]}`,
    from: index < 2 ? 0 : (EDGES[index - 2] ?? 0),
  }));
}
