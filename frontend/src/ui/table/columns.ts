/** What a table shows of a row, and its rows as text. */
import type { ReactNode } from "react";
import { csv } from "@/util/spec.json";

export interface Column<Row> {
  /** The API's sort field when `sortable`. */
  readonly id: string;
  readonly header: string;
  /** What the CSV holds: plain figures in base units. */
  readonly value: (row: Row) => CsvValue;
  /** What is drawn; the value itself when absent. */
  readonly cell?: (row: Row) => ReactNode;
  /** The API sorts by `id`. */
  readonly sortable?: boolean;
  readonly align?: "right";
  /** Not shown on a phone. */
  readonly wide?: boolean;
  /** The CSV's header where it needs a unit, e.g. `in (bit/s)`. */
  readonly csvHeader?: string;
}

/** The rest of a list that is loaded page by page. */
export interface Rest {
  readonly isLoading: boolean;
  /** The last page could not be loaded: only a press tries again. */
  readonly isFailed: boolean;
  readonly load: () => void;
}

/** The text of these rows and columns, in this order. */
export function csvOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return toCsv(
    columns.map(({ header, csvHeader }) => csvHeader ?? header),
    rows.map((row) => columns.map(({ value }) => value(row))),
  );
}

type CsvValue = string | number | boolean | null | undefined;

/** The text of a table, CRLF between lines; a cell that a spreadsheet would run as a formula is made plain text. */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [header, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function field(value: CsvValue): string {
  if (value == null) return "";
  if (typeof value !== "string") return String(value);
  const safe = csv.formula_prefixes.some((prefix) => value.startsWith(prefix)) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
