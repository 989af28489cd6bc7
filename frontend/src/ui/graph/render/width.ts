/**
 * Line width by capacity in logarithmic steps: 100 Mb/s and 400 Gb/s fit on one map; similar speeds look the same.
 */

export interface WidthStep {
  /** Minimum capacity of this width, bit/s. */
  readonly from: number;
  /** CSS px of the whole line. */
  readonly width: number;
  readonly label: string;
}

export const WIDTH_STEPS: readonly WidthStep[] = [
  { from: 0, width: 3, label: "< 100 M" },
  { from: 100e6, width: 4, label: "100 M" },
  { from: 500e6, width: 5.5, label: "500 M" },
  { from: 1e9, width: 7, label: "1 G" },
  { from: 10e9, width: 8, label: "10 G" },
  { from: 25e9, width: 9, label: "25 G" },
  { from: 40e9, width: 10, label: "40 G" },
  { from: 100e9, width: 11.5, label: "100 G" },
  { from: 200e9, width: 13, label: "200 G" },
  { from: 400e9, width: 14.5, label: "400 G" },
];

/** The step of a capacity in bit/s; a medium that carries 97 % of a round rate after framing counts as that rate. */
export function widthStep(capacity: number): WidthStep {
  const step = WIDTH_STEPS.findLast((candidate) => capacity >= candidate.from * 0.95);
  return step ?? { from: 0, width: 3, label: "< 100 M" };
}
