/**
 * Converts layout fractions to px of the drawing area, and scales sizes.
 *
 * The graph fills its area (a wall display, an upright phone): distances scale with the area, glyphs and lines only
 * shrink when rows are too close.
 */

import type { Layout, Place } from "../layout/layout";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Frame extends Size {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Factor for radii, 0.14..1. */
  readonly scale: number;
  /** Factor for line widths, smaller with many lines. */
  readonly lineScale: number;
}

const ROW_FOR_FULL_SIZE = 40;
const COLUMN_FOR_FULL_SIZE = 100;
const SMALLEST = 0.14;
/** Lines that fit at full width into a million px. */
const LINES_AT_FULL_WIDTH = 110;

/** Estimated width of a label in CSS px, without a canvas to measure on. */
function labelWidth(text: string): number {
  return 7 * text.length;
}

/** Margins with room for the outer columns' labels, and size factors. */
export function frameFor(
  layout: Layout,
  size: Size,
  names: readonly { tier: number; label: string }[],
  lines: number,
): Frame {
  const tiers = [...layout.tierX.keys()];
  const [first, last] = [tiers[0], tiers.at(-1)];
  const room = (tier: number | undefined): number => {
    const widest = Math.max(
      0,
      ...names.filter((name) => name.tier === tier).map((name) => labelWidth(name.label)),
    );
    return Math.min(size.width * 0.22, widest + 34);
  };
  const margins = { left: room(first), right: room(last), top: 30, bottom: 34 };
  const rowPx = Math.max(1, size.height - margins.top - margins.bottom) / Math.max(1, layout.rows);
  const columnPx = Math.max(1, size.width - margins.left - margins.right) / Math.max(1, layout.columns - 1);
  const scale = Math.max(SMALLEST, Math.min(1, rowPx / ROW_FOR_FULL_SIZE, columnPx / COLUMN_FOR_FULL_SIZE));
  const crowd = (lines * 1e6) / (LINES_AT_FULL_WIDTH * size.width * size.height);
  return { ...size, ...margins, scale, lineScale: scale / Math.max(1, Math.sqrt(crowd)) };
}

/** Graph coordinates of a position: px, x to the right, y upwards as in sigma. */
export function toGraph(place: Place, frame: Frame): { x: number; y: number } {
  return {
    x: frame.left + place.x * (frame.width - frame.left - frame.right),
    y: frame.height - frame.top - place.y * (frame.height - frame.top - frame.bottom),
  };
}
