/** A table of coloured cells as plain values: what HeatTable draws of a run, of a grid and of a comparison. Pure. */
import type { TestCell } from "@/api/throughput";
import { ARROWS, DIRECTION_LABELS, inUnit, shareOf, type Direction, type Matrix, type Unit } from "./matrix";
import { cellLabel, describeMissing } from "./labels";
import { rampClass } from "@/ui/ramp";
import { percent, rate } from "@/util/units";

export interface HeatCell {
  /** What a press tells. */
  readonly id: string;
  /** The colour's class: `0` to `8` of the ramp, `none`, or `change-3` to `change3`. */
  readonly tone: string;
  readonly glyph: string;
  readonly figure: string;
  readonly word: string;
  /** All of it in words. */
  readonly label: string;
  readonly state: string;
}

export interface HeatRow {
  readonly key: string;
  readonly label: string;
  readonly isBlamed: boolean;
  /** By column; null where there is nothing, `self` where there can be nothing. */
  readonly cells: readonly (HeatCell | "self" | null)[];
}

export interface HeatColumn {
  readonly key: string;
  readonly label: string;
  readonly isBlamed: boolean;
}

export interface Heat {
  /** What is down, what is across, and the unit. */
  readonly corner: string;
  readonly columns: readonly HeatColumn[];
  readonly rows: readonly HeatRow[];
}

export type Shown = "rate" | "share";

const DIRECTIONS: readonly Direction[] = ["forward", "reverse", "both"];

/** The rows of a matrix as drawn cells: one line a row, or where directions differ one for each that was tested. */
export function heatRows(
  matrix: Matrix,
  draw: (cell: TestCell, where: string) => HeatCell | null,
): HeatRow[] {
  return matrix.rows.flatMap(({ key, label, spots }) =>
    DIRECTIONS.flatMap((way): HeatRow[] => {
      const mine = spots.map((spot) => spot.find(({ parameters }) => parameters.direction === way) ?? null);
      if (mine.every((cell) => cell === null)) return [];
      const words = label === "" ? "measured" : label;
      return [
        {
          key: `${key} ${way}`,
          label: matrix.isTwoWay ? `${words} ${ARROWS[way]}` : words,
          isBlamed: false,
          cells: mine.map((cell, at) =>
            cell === null
              ? matrix.acrossId === "to" && label === matrix.columns[at]?.label
                ? "self"
                : null
              : draw(
                  cell,
                  `${label} ${matrix.columns[at]?.label ?? ""}${matrix.isTwoWay ? `, ${DIRECTION_LABELS[way]}` : ""}`,
                ),
          ),
        },
      ];
    }),
  );
}

export const cornerOf = ({ down, across }: Matrix, unit: string): string =>
  `${down === "" ? "" : `${down} \\ `}${across}${unit === "" ? "" : ` (${unit})`}`.trim();

const plainColumns = ({ columns }: Matrix): HeatColumn[] =>
  columns.map(({ key, label }) => ({ key, label, isBlamed: false }));

/** A run's own matrix. `full` is the rate at which the colour is full, so that two runs can share one scale. */
export function heatOf(matrix: Matrix, unit: Unit, shown: Shown, full: number = matrix.full): Heat {
  const draw = (cell: TestCell, where: string): HeatCell => {
    const share = shareOf(cell, full);
    const { glyph, word, words } = cellLabel(cell);
    const figure =
      share === null || cell.rate === null
        ? ""
        : shown === "share"
          ? percent(share)
          : inUnit(cell.rate, unit);
    return {
      id: String(cell.index),
      tone: share === null ? "none" : String(rampClass(share)),
      glyph,
      word,
      figure,
      state: cell.state,
      label: `${figure} ${word}, ${where}: ${cell.rate === null ? describeMissing(cell) : `${rate(cell.rate)}, ${percent(share)}, ${words}`}`,
    };
  };
  return {
    corner: cornerOf(
      matrix,
      shown === "rate" ? unit.name : matrix.isUsableKnown ? "% of usable" : "% of best",
    ),
    columns: plainColumns(matrix),
    rows: heatRows(matrix, draw),
  };
}

/** Cells drawn by somebody else's rule over a matrix's rows and columns. */
export const heatWith = (
  matrix: Matrix,
  unit: string,
  draw: (cell: TestCell, where: string) => HeatCell | null,
): Heat => ({ corner: cornerOf(matrix, unit), columns: plainColumns(matrix), rows: heatRows(matrix, draw) });
