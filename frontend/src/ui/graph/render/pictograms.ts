/**
 * Pictograms of node kinds: the usual symbols of network diagrams, as strokes in a square from -1 to 1.
 */

import type { Glyph } from "../scene";

type Stroke = readonly (readonly [number, number])[];

const arrow = (from: readonly [number, number], to: readonly [number, number]): Stroke[] => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [(dx / length) * 0.28, (dy / length) * 0.28];
  return [
    [from, to],
    [[to[0] - ux - uy, to[1] - uy + ux], to, [to[0] - ux + uy, to[1] - uy - ux]],
  ];
};

const PICTOGRAMS: Readonly<Record<Glyph, readonly Stroke[]>> = {
  host: [
    [
      [-0.5, -0.32],
      [0.5, -0.32],
    ],
    [
      [-0.5, 0.02],
      [0.5, 0.02],
    ],
    [
      [-0.5, 0.36],
      [0, 0.36],
    ],
  ],
  switch: [...arrow([-0.6, -0.22], [0.6, -0.22]), ...arrow([0.6, 0.22], [-0.6, 0.22])],
  router: [
    ...arrow([-0.16, -0.16], [-0.55, -0.55]),
    ...arrow([0.16, 0.16], [0.55, 0.55]),
    ...arrow([0.55, -0.55], [0.14, -0.14]),
    ...arrow([-0.55, 0.55], [-0.14, 0.14]),
  ],
  gateway: [...arrow([-0.55, -0.24], [0.55, -0.24]), ...arrow([0.55, 0.24], [-0.55, 0.24])],
  fabric: [
    [
      [0, -0.95],
      [0, 0.95],
    ],
    [
      [-0.32, -0.6],
      [0, -0.6],
    ],
    [
      [-0.32, 0],
      [0.32, 0],
    ],
    [
      [0, 0.6],
      [0.32, 0.6],
    ],
  ],
  group: [
    [
      [-0.55, -0.5],
      [0.25, -0.5],
    ],
    [
      [-0.55, -0.16],
      [0.25, -0.16],
    ],
    [
      [-0.55, 0.18],
      [0.25, 0.18],
    ],
  ],
};

/** Strokes a pictogram around a centre, in px. */
export function drawPictogram(
  context: CanvasRenderingContext2D,
  glyph: Glyph,
  x: number,
  y: number,
  radius: number,
): void {
  context.beginPath();
  for (const stroke of PICTOGRAMS[glyph]) {
    stroke.forEach(([px, py], index) => {
      if (index === 0) context.moveTo(x + px * radius, y + py * radius);
      else context.lineTo(x + px * radius, y + py * radius);
    });
  }
  context.stroke();
}
