/** What a table shows of a row, and its rows as text. */
import type { ReactNode } from "react";
import { toCsv, type CsvValue } from "@/util/csv";

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
