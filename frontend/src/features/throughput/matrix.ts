/** A run's cells as a table: which parameter is across, which are down, and whose figures meet where. Pure. */
import type { TestCell, TestParameters } from "@/api/throughput";
import { octets } from "./words";
import { compare } from "@/util/compare";
import { amount, grouped, NONE, rate } from "@/util/units";

type Value = number | string | boolean | null;

interface Axis {
  readonly id: string;
  readonly name: string;
  readonly of: (cell: TestCell) => Value;
  readonly words: (value: Value) => string;
}

const figure = (id: keyof TestParameters, name: string, words: (value: number) => string, absent: string = NONE): Axis => ({
  id, name, of: ({ parameters }) => parameters[id] as Value, words: (value) => (typeof value === "number" ? words(value) : absent),
});
const choice = (id: keyof TestParameters, name: string, words: Readonly<Record<string, string>>): Axis => ({
  id, name, of: ({ parameters }) => parameters[id] as Value, words: (value) => words[String(value)] ?? (value === null || value === "" ? "the system's" : String(value)),
});

/** In the order in which they are preferred across the table. */
const AXES: readonly Axis[] = [
  figure("streams", "streams", String),
  figure("senders", "senders", String),
  figure("receivers", "receivers", String),
  figure("size", "size", octets),
  figure("buffer", "buffer", octets, "the system's"),
  figure("window", "window", octets, "the system's"),
  figure("send_buffer", "send buffer", octets, "the system's"),
  figure("offered_rate", "offered", rate, "all it can"),
  figure("offered_pps", "offered, a second", amount, "all it can"),
  figure("mtu", "MTU", grouped),
  figure("mss", "MSS", grouped, "the path's"),
  choice("no_delay", "Nagle", { true: "Nagle off", false: "Nagle on" }),
  choice("quick_ack", "acknowledgements", { true: "quick acks", false: "delayed acks" }),
  choice("congestion", "congestion control", {}),
  { id: "ends", name: "ends", of: ({ flows }) => flows.map(({ sender, receiver }) => `${sender} → ${receiver}`).join(", "), words: (value) => (value === "" ? NONE : String(value)) },
];
const NUMERIC = new Set(["streams", "senders", "receivers", "size", "buffer", "window", "send_buffer", "offered_rate", "offered_pps", "mtu", "mss"]);

export type Direction = TestParameters["direction"];
export const ARROWS: Record<Direction, string> = { forward: "→", reverse: "←", both: "⇄" };
export const DIRECTION_WORDS: Record<Direction, string> = { forward: "there", reverse: "back", both: "both ways at a time" };
const DIRECTION_ORDER: readonly Direction[] = ["forward", "reverse", "both"];

export interface MatrixColumn {
  readonly key: string;
  readonly label: string;
  /** Where it is on a figure's axis; null when the parameter is no figure. */
  readonly x: number | null;
}

export interface MatrixRow {
  readonly key: string;
  readonly label: string;
  /** By column: a cell for each direction that was tested there. */
  readonly spots: readonly (readonly TestCell[])[];
}

export interface Matrix {
  /** Parameter across; empty when nothing was varied. */
  readonly across: string;
  readonly acrossId: string;
  readonly columns: readonly MatrixColumn[];
  /** Parameters down. */
  readonly down: string;
  readonly rows: readonly MatrixRow[];
  readonly isTwoWay: boolean;
  /** Rate that is full, bit/s: what the way can carry, or the best cell when that is not known. */
  readonly full: number;
  readonly isUsableKnown: boolean;
}

export function matrixOf(cells: readonly TestCell[]): Matrix {
  const varied = AXES.filter((axis) => new Set(cells.map(axis.of)).size > 1);
  const column = varied.find(({ id }) => NUMERIC.has(id)) ?? varied[0];
  const rows = column === undefined ? [] : essential(cells, column, varied);
  const isRepeated = hasTwins(cells, [...(column === undefined ? [] : [column]), ...rows]);
  const takes = isRepeated ? takesOf(cells, [...(column === undefined ? [] : [column]), ...rows]) : new Map<TestCell, string>();
  const columnKey = (cell: TestCell) => (column === undefined ? "" : String(column.of(cell)));
  const columns = distinct(cells, column === undefined ? [] : [column]).map(([key, cell]): MatrixColumn => {
    const value = column?.of(cell) ?? null;
    return { key, label: column === undefined ? "rate" : column.words(value), x: typeof value === "number" ? value : null };
  });
  const rowKey = (cell: TestCell) => [...rows.map((axis) => String(axis.of(cell))), takes.get(cell) ?? ""].join("\u0000");
  const groups = new Map<string, TestCell[]>();
  for (const cell of inOrder(cells, rows)) groups.set(rowKey(cell), [...(groups.get(rowKey(cell)) ?? []), cell]);
  const usable = cells.map(({ medium }) => medium.usable).filter((one) => one !== null);
  return {
    across: column?.name ?? "", acrossId: column?.id ?? "", columns,
    down: [...rows.map(({ name }) => name), ...(isRepeated ? ["cell"] : [])].join(", "),
    rows: [...groups].map(([key, mine]): MatrixRow => ({
      key, label: [...rows.map((axis) => axis.words(axis.of(mine[0] as TestCell))), takes.get(mine[0] as TestCell) ?? ""].filter(Boolean).join(", "),
      spots: columns.map(({ key: at }) => mine.filter((cell) => columnKey(cell) === at).toSorted((a, b) => rank(a) - rank(b))),
    })),
    isTwoWay: new Set(cells.map(({ parameters }) => parameters.direction)).size > 1,
    full: usable.length > 0 ? Math.max(...usable) : Math.max(1, ...cells.map(({ rate: found }) => found ?? 0)),
    isUsableKnown: usable.length > 0,
  };
}

const rank = ({ parameters }: TestCell): number => DIRECTION_ORDER.indexOf(parameters.direction);

/** The varied parameters that are not already told by the one across or by another of the rows'. */
function essential(cells: readonly TestCell[], column: Axis, varied: readonly Axis[]): Axis[] {
  const kept: Axis[] = [];
  for (const axis of varied) {
    if (axis === column || isToldBy(cells, [column], axis) || (kept.length > 0 && isToldBy(cells, kept, axis))) continue;
    kept.push(axis);
  }
  return kept;
}

/** Whether knowing `known` one knows `axis` too. */
function isToldBy(cells: readonly TestCell[], known: readonly Axis[], axis: Axis): boolean {
  const values = new Map<string, Value>();
  return cells.every((cell) => {
    const key = known.map(({ of }) => String(of(cell))).join("\u0000");
    if (!values.has(key)) values.set(key, axis.of(cell));
    return values.get(key) === axis.of(cell);
  });
}

const place = (cell: TestCell, axes: readonly Axis[]): string => [...axes.map(({ of }) => String(of(cell))), cell.parameters.direction].join("\u0000");

function hasTwins(cells: readonly TestCell[], axes: readonly Axis[]): boolean {
  return new Set(cells.map((cell) => place(cell, axes))).size < cells.length;
}

/** What tells cells of one place apart: a paper's own name of the cell, or which time it was. */
function takesOf(cells: readonly TestCell[], axes: readonly Axis[]): Map<TestCell, string> {
  const seen = new Map<string, number>();
  return new Map(cells.map((cell) => {
    const time = (seen.get(place(cell, axes)) ?? 0) + 1;
    seen.set(place(cell, axes), time);
    return [cell, /^\d*$/.test(cell.key) ? `time ${time}` : cell.key];
  }));
}

function inOrder(cells: readonly TestCell[], axes: readonly Axis[]): TestCell[] {
  return cells.toSorted((a, b) => axes.map(({ of }) => compare(of(a), of(b))).find((order) => order !== 0) ?? 0);
}

function distinct(cells: readonly TestCell[], axes: readonly Axis[]): [key: string, cell: TestCell][] {
  return [...new Map(inOrder(cells, axes).map((cell) => [axes.map(({ of }) => String(of(cell))).join(""), cell] as const))];
}

/** How full a cell is for the colour, 0..1; null without a figure. */
export function shareOf(cell: Pick<TestCell, "rate" | "used">, full: number): number | null {
  return cell.used ?? (cell.rate === null ? null : cell.rate / full);
}

export interface Unit {
  readonly step: number;
  readonly name: string;
}

/** The one unit of all figures of a table: that of its greatest rate, unless most would be below 0.1 of it. */
export function unitOf(rates: readonly (number | null)[]): Unit {
  const known = rates.filter((one) => one !== null && one > 0).toSorted((a, b) => (a ?? 0) - (b ?? 0));
  const typical = known[Math.floor(known.length / 2)] ?? 1;
  const [step, name] = ([[1e9, "Gb/s"], [1e6, "Mb/s"], [1e3, "kb/s"]] as const).find(([from]) => typical >= from) ?? [1, "b/s"];
  return { step, name };
}

/** A rate in a table's unit, three significant digits: `175`, `26.2`, `0.41`. */
export function inUnit(bps: number, { step }: Unit): string {
  const value = bps / step;
  return value >= 100 ? grouped(value) : String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}
