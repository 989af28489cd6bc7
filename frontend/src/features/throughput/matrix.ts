/** Layout of a run's cells as a matrix: column axis, row axes and cells. */
import type { TestCell, TestParameters } from "@/api/throughput";
import { variedAxes, type Coded } from "./axes";
import { throughput } from "@/util/spec.json";
import { grouped } from "@/util/units";
import type { Curve, Curves } from "@/ui/chart/curves";

export type Direction = TestParameters["direction"];
export const ARROWS: Record<Direction, string> = { forward: "→", reverse: "←", both: "⇄" };
export const DIRECTION_LABELS: Record<Direction, string> = throughput.directions;
const DIRECTION_ORDER: readonly Direction[] = ["forward", "reverse", "both"];

interface MatrixColumn {
  readonly key: string;
  readonly label: string;
  /** Position on a numeric axis; null for a non-numeric parameter. */
  readonly x: number | null;
}

interface MatrixRow {
  readonly key: string;
  readonly label: string;
  /** By column: one cell per tested direction. */
  readonly spots: readonly (readonly TestCell[])[];
}

export interface Matrix {
  /** Column parameter; empty when nothing was varied. */
  readonly across: string;
  readonly acrossId: string;
  readonly columns: readonly MatrixColumn[];
  /** Row parameters. */
  readonly down: string;
  readonly rows: readonly MatrixRow[];
  readonly isBidirectional: boolean;
  /** Full-scale rate, bit/s: the usable rate of the path, or the best cell when unknown. */
  readonly full: number;
  readonly isUsableKnown: boolean;
}

/** Linear in the number of cells: a mesh of 50 ends has thousands. */
export function matrixOf(cells: readonly TestCell[]): Matrix {
  const varied = variedAxes(cells);
  const column =
    varied.find(({ axis }) => axis.isNumeric) ?? varied.find(({ axis }) => axis.id === "to") ?? varied[0];
  const rows = column === undefined ? [] : essential(column, varied);
  const places = placesOf(cells, [...rows, ...(column === undefined ? [] : [column])]);
  const isRepeated = new Set(places).size < cells.length;
  const takes = isRepeated ? takesOf(cells, places) : [];
  const columns = (column?.values ?? [null]).map((value): MatrixColumn => ({
    key: String(value),
    label: column === undefined ? "rate" : column.axis.format(value),
    x: typeof value === "number" ? value : null,
  }));
  const usable = cells.map(({ medium }) => medium.usable).filter((one) => one !== null);
  return {
    across: column?.axis.name ?? "",
    acrossId: column?.axis.id ?? "",
    columns,
    down: [...rows.map(({ axis }) => axis.name), ...(isRepeated ? ["cell"] : [])].join(", "),
    rows: rowsOf(cells, rows, takes, columns.length, column?.codes ?? []),
    isBidirectional: new Set(cells.map(({ parameters }) => parameters.direction)).size > 1,
    full:
      usable.length > 0
        ? greatest(usable)
        : Math.max(1, greatest(cells.map(({ rate: found }) => found ?? 0))),
    isUsableKnown: usable.length > 0,
  };
}

const greatest = (values: readonly number[]): number => values.reduce((most, one) => Math.max(most, one), 0);

function rowsOf(
  cells: readonly TestCell[],
  axes: readonly Coded[],
  takes: readonly string[],
  width: number,
  columnOf: readonly number[],
): MatrixRow[] {
  const made = new Map<string, { order: number; label: string; spots: TestCell[][] }>();
  cells.forEach((cell, index) => {
    const order = keyOf(axes, index);
    const take = takes[index] ?? "";
    const key = `${order} ${take}`;
    const row = made.get(key) ?? {
      order,
      label: [...axes.map(({ axis, values, codes }) => axis.format(values[codes[index] ?? 0] ?? null)), take]
        .filter(Boolean)
        .join(", "),
      spots: Array.from({ length: width }, () => []),
    };
    made.set(key, row);
    row.spots[columnOf[index] ?? 0]?.push(cell);
  });
  return [...made]
    .toSorted(([, a], [, b]) => a.order - b.order)
    .map(([key, { label, spots }]) => ({
      key,
      label,
      spots: spots.map((spot) => (spot.length > 1 ? spot.toSorted((a, b) => rank(a) - rank(b)) : spot)),
    }));
}

const rank = ({ parameters }: TestCell): number => DIRECTION_ORDER.indexOf(parameters.direction);

/** A cell's position on these axes as one number, ordered by the first axis first. */
const keyOf = (axes: readonly Coded[], index: number): number =>
  axes.reduce((key, { codes, values }) => key * values.length + (codes[index] ?? 0), 0);

/** The varied parameters that are not determined by the column parameter or other row parameters. */
function essential(column: Coded, varied: readonly Coded[]): Coded[] {
  const kept: Coded[] = [];
  for (const one of varied) {
    if (one === column || isDeterminedBy([column], one) || (kept.length > 0 && isDeterminedBy(kept, one)))
      continue;
    kept.push(one);
  }
  return kept;
}

/** Whether the values of `known` determine the value of `one`. */
function isDeterminedBy(known: readonly Coded[], one: Coded): boolean {
  const codes = new Map<number, number>();
  return one.codes.every((code, index) => {
    const key = keyOf(known, index);
    const before = codes.get(key);
    if (before === undefined) codes.set(key, code);
    return before === undefined || before === code;
  });
}

/** By cell: its position including the direction. */
const placesOf = (cells: readonly TestCell[], axes: readonly Coded[]): number[] =>
  cells.map((cell, index) => keyOf(axes, index) * DIRECTION_ORDER.length + rank(cell));

/** Labels of repeated cells: the name in a paper, or the number of the repeat. */
function takesOf(cells: readonly TestCell[], places: readonly number[]): string[] {
  const seen = new Map<number, number>();
  return cells.map(({ key }, index) => {
    const place = places[index] ?? 0;
    const time = (seen.get(place) ?? 0) + 1;
    seen.set(place, time);
    return /^\d*$/.test(key) ? `repeat ${time}` : key;
  });
}

/** Share of the full scale for the colour, 0..1; null without a result. */
export function shareOf(cell: Pick<TestCell, "rate" | "used">, full: number): number | null {
  return cell.used ?? (cell.rate === null ? null : cell.rate / full);
}

export interface Unit {
  readonly step: number;
  readonly name: string;
}

/** The unit of all values of a table, from the median rate. */
export function unitOf(rates: readonly (number | null)[]): Unit {
  const known = rates.filter((one) => one !== null && one > 0).toSorted((a, b) => (a ?? 0) - (b ?? 0));
  const typical = known[Math.floor(known.length / 2)] ?? 1;
  const [step, name] = (
    [
      [1e9, "Gb/s"],
      [1e6, "Mb/s"],
      [1e3, "kb/s"],
    ] as const
  ).find(([from]) => typical >= from) ?? [1, "b/s"];
  return { step, name };
}

/** A rate in a table's unit, three significant digits: `175`, `26.2`, `0.41`. */
export function inUnit(bps: number, { step }: Unit): string {
  const value = bps / step;
  return value >= 100 ? grouped(value) : String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

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
