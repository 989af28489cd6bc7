/** A matrix as chart lines over its column axis, with capacity and linear scaling. */
import type { Curve, Curves } from "@/ui/chart/curves";
import { DIRECTION_LABELS, type Direction, type Matrix } from "./matrix";

const SCALES = new Set(["streams", "senders"]);
const DIRECTIONS: readonly Direction[] = ["forward", "reverse", "both"];

/** More lines cannot be distinguished by colour and dash. */
export const MOST_LINES = 16;

/** Null with fewer than two points. At most MOST_LINES lines, evenly selected with the first and the last. */
export function linesOf(matrix: Matrix): Curves | null {
  const x = matrix.columns.map((column) => column.x).filter((one) => one !== null);
  if (x.length < 2 || x.length < matrix.columns.length) return null;
  const lines = matrix.rows.flatMap((row) =>
    DIRECTIONS.flatMap((direction): Curve[] => {
      const rates = row.spots.map(
        (spot) => spot.find(({ parameters }) => parameters.direction === direction)?.rate ?? null,
      );
      const label = [row.label, matrix.isBidirectional ? DIRECTION_LABELS[direction] : ""]
        .filter(Boolean)
        .join(", ");
      return rates.some((one) => one !== null) ? [{ label: label === "" ? "measured" : label, rates }] : [];
    }),
  );
  if (lines.length === 0) return null;
  const drawn =
    lines.length <= MOST_LINES
      ? lines
      : Array.from(
          { length: MOST_LINES },
          (_, at) => lines[Math.round((at * (lines.length - 1)) / (MOST_LINES - 1))] as Curve,
        );
  return {
    across: matrix.across,
    x,
    labels: matrix.columns.map(({ label }) => label),
    lines: drawn,
    capacity: matrix.isUsableKnown ? matrix.full : null,
    scaling: SCALES.has(matrix.acrossId) ? scaling(x, lines) : null,
    isLogarithmic: (x.at(-1) ?? 1) >= 16 * (x[0] ?? 1),
  };
}

/** Linear scaling from the origin through the best value of the first column. */
function scaling(x: readonly number[], lines: readonly Curve[]): number[] | null {
  const first = Math.max(0, ...lines.map(({ rates }) => rates[0] ?? 0));
  const at = x[0] ?? 0;
  return first > 0 && at > 0 ? x.map((one) => (first * one) / at) : null;
}
