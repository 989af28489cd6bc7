/** Columns of a table, and CSV output. */
import type { ReactNode } from "react";
import { csv } from "@/util/spec.json";

export interface Column<Row> {
  /** The API's sort field when `sortable`. */
  readonly id: string;
  readonly header: string;
  /** Value in the CSV: plain numbers in base units. */
  readonly value: (row: Row) => CsvValue;
  /** Rendered cell; the value itself by default. */
  readonly cell?: (row: Row) => ReactNode;
  /** The API sorts by `id`. */
  readonly sortable?: boolean;
  readonly align?: "right";
  /** Not shown on a phone. */
  readonly wide?: boolean;
  /** Shown only when chosen. */
  readonly isExtra?: boolean;
  /** Buttons: not in the CSV. */
  readonly isControl?: boolean;
  /** Texts that break into lines on a narrow screen, where other cells make the table scroll. */
  readonly wraps?: boolean;
  /** The CSV's header where it needs a unit, e.g. `in (bit/s)`. */
  readonly csvHeader?: string;
}

/** State of loading more rows. */
export interface Rest {
  readonly isLoading: boolean;
  /** The last page failed: retried only on request. */
  readonly isFailed: boolean;
  readonly load: () => void;
}

/** CSV of these rows and columns, in this order. */
export function csvOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const written = columns.filter(({ isControl = false }) => !isControl);
  return toCsv(
    written.map(({ header, csvHeader }) => csvHeader ?? header),
    rows.map((row) => written.map(({ value }) => value(row))),
  );
}

type CsvValue = string | number | boolean | null | undefined;

/** CSV with CRLF line ends; cells that a spreadsheet would evaluate as formulas are escaped. */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [header, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function field(value: CsvValue): string {
  if (value == null) return "";
  if (typeof value !== "string") return String(value);
  const safe = csv.formula_prefixes.some((prefix) => value.startsWith(prefix)) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
