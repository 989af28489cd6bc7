/** A table's rows in order and as text. Pure: what DataTable shows is what these return. */
import type { ReactNode } from "react";
import { compare, type Comparable } from "@/util/compare";
import { toCsv } from "@/util/csv";

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** What the column sorts by and what the CSV holds: plain figures in base units. */
  readonly value: (row: Row) => Comparable;
  /** What is drawn; the value itself when absent. */
  readonly cell?: (row: Row) => ReactNode;
  readonly align?: "right";
  /** Not shown on a phone. */
  readonly wide?: boolean;
  /** The CSV's header where it needs a unit, e.g. `in (bit/s)`. */
  readonly csvHeader?: string;
}

/** A sort as the URL has it: `name` or `-utilisation`. */
export function parseSort(sort: string): { id: string; descending: boolean } {
  return sort.startsWith("-") ? { id: sort.slice(1), descending: true } : { id: sort, descending: false };
}

/** The sort after a press on a column's header: figures first from the top, names from A; again the other way. */
export function nextSort(sort: string, id: string, startsDescending: boolean): string {
  const now = parseSort(sort);
  const descending = now.id === id ? !now.descending : startsDescending;
  return descending ? `-${id}` : id;
}

/** Rows in the order of `sort`; unknown columns leave the order. Equal rows keep theirs. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string): Row[] {
  const { id, descending } = parseSort(sort);
  const column = columns.find((one) => one.id === id);
  if (column === undefined) return [...rows];
  return rows.toSorted((a, b) => compare(column.value(a), column.value(b), descending));
}

/** The text of exactly these rows and columns, in this order. */
export function csvOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return toCsv(
    columns.map(({ header, csvHeader }) => csvHeader ?? header),
    rows.map((row) => columns.map(({ value }) => value(row))),
  );
}
