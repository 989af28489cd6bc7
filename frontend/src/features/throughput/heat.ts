/** Data of a heat table: of a run, a grid or a comparison. */
import type { TestCell } from "@/api/throughput";
import { ARROWS, DIRECTION_LABELS, inUnit, shareOf, type Direction, type Matrix, type Unit } from "./matrix";
import { cellLabel, describeMissing } from "./labels";
import { rampClass } from "@/ui/ramp";
import { percent, rate } from "@/util/units";

export interface HeatCell {
  /** Passed to `onSelect`. */
  readonly id: string;
  /** The colour's class: `0` to `8` of the ramp, `none`, or `change-3` to `change3`. */
  readonly tone: string;
  readonly glyph: string;
  readonly figure: string;
  readonly short: string;
  /** Accessible name. */
  readonly label: string;
  readonly state: string;
}

export interface HeatRow {
  readonly key: string;
  readonly label: string;
  readonly isBlamed: boolean;
  /** By column; null for an untested cell, `self` for a node and itself. */
  readonly cells: readonly (HeatCell | "self" | null)[];
}

interface HeatColumn {
  readonly key: string;
  readonly label: string;
  readonly isBlamed: boolean;
}

export interface Heat {
  /** Row axis, column axis and unit. */
  readonly corner: string;
  readonly columns: readonly HeatColumn[];
  readonly rows: readonly HeatRow[];
}

export type Shown = "rate" | "share";

const DIRECTIONS: readonly Direction[] = ["forward", "reverse", "both"];

/** Rows of a matrix; one row per direction if several were tested. */
function heatRows(matrix: Matrix, draw: (cell: TestCell, where: string) => HeatCell | null): HeatRow[] {
  return matrix.rows.flatMap(({ key, label, spots }) =>
    DIRECTIONS.flatMap((direction): HeatRow[] => {
      const mine = spots.map(
        (spot) => spot.find(({ parameters }) => parameters.direction === direction) ?? null,
      );
      if (mine.every((cell) => cell === null)) return [];
      const text = label === "" ? "measured" : label;
      return [
        {
          key: `${key} ${direction}`,
          label: matrix.isBidirectional ? `${text} ${ARROWS[direction]}` : text,
          isBlamed: false,
          cells: mine.map((cell, at) =>
            cell === null
              ? matrix.acrossId === "to" && label === matrix.columns[at]?.label
                ? "self"
                : null
              : draw(
                  cell,
                  `${label} ${matrix.columns[at]?.label ?? ""}${matrix.isBidirectional ? `, ${DIRECTION_LABELS[direction]}` : ""}`,
                ),
          ),
        },
      ];
    }),
  );
}

const cornerOf = ({ down, across }: Matrix, unit: string): string =>
  `${down === "" ? "" : `${down} \\ `}${across}${unit === "" ? "" : ` (${unit})`}`.trim();

const plainColumns = ({ columns }: Matrix): HeatColumn[] =>
  columns.map(({ key, label }) => ({ key, label, isBlamed: false }));

/** Heat table of a run; `full` is the rate at full colour scale, so that two runs can share a scale. */
export function heatOf(matrix: Matrix, unit: Unit, shown: Shown, full: number = matrix.full): Heat {
  const draw = (cell: TestCell, where: string): HeatCell => {
    const share = shareOf(cell, full);
    const { glyph, short, text } = cellLabel(cell);
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
      short,
      figure,
      state: cell.state,
      label: `${figure} ${short}, ${where}: ${cell.rate === null ? describeMissing(cell) : `${rate(cell.rate)}, ${percent(share)}, ${text}`}`,
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

/** Heat table with the rows and columns of a matrix and custom cells. */
export const heatWith = (
  matrix: Matrix,
  unit: string,
  draw: (cell: TestCell, where: string) => HeatCell | null,
): Heat => ({ corner: cornerOf(matrix, unit), columns: plainColumns(matrix), rows: heatRows(matrix, draw) });
