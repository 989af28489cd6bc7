/** The product's table: sorts by any column, moves by arrow keys, opens rows by plain links, gives its rows as CSV. */
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Anchor } from "@/ui/Anchor";
import classes from "@/ui/DataTable.module.css";
import { csvOf, nextSort, parseSort, sorted, type Column } from "@/ui/table";
import { Icon } from "@/ui/Icon";
import { grouped } from "@/util/units";

interface Props<Row> {
  /** The table's name for assistive technology and, in lower case, of its CSV. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** Where the first column's link leads; rows without a page return undefined. */
  rowHref?: (row: Row) => string | undefined;
  sort: string;
  onSort: (sort: string) => void;
  /** Shown instead of rows. */
  empty: ReactNode;
  /** Beside the count, above the table: filters. */
  tools?: ReactNode;
  /** Says what is counted, in the plural by -s: `links`. */
  noun: string;
  /** Draw so many rows at first, and as many more with each press: a device may have a thousand ports. */
  step?: number;
}

export function DataTable<Row>({
  label,
  rows,
  columns,
  rowKey,
  rowHref,
  sort,
  onSort,
  empty,
  tools,
  noun,
  step = Infinity,
}: Props<Row>) {
  const [most, setMost] = useState(step);
  const shown = useMemo(() => sorted(rows, columns, sort), [rows, columns, sort]);
  const number =
    shown.length === 1 ? `1 ${noun.replace(/s(?=,|$)/, "")}` : `${grouped(shown.length)} ${noun}`;
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const element = body.current;
    const onKey = (event: KeyboardEvent) => moveByArrow(event, element);
    element?.addEventListener("keydown", onKey);
    return () => element?.removeEventListener("keydown", onKey);
  }, []);
  return (
    <div className={classes.frame} data-frame="">
      <div className={classes.tools}>
        {tools}
        <span className={`num dim ${classes.count}`} aria-live="polite">
          {number}
        </span>
        <button
          type="button"
          className={classes.csv}
          disabled={shown.length === 0}
          onClick={() => save(`${label.toLowerCase().replaceAll(" ", "-")}.csv`, csvOf(shown, columns))}
        >
          <Icon name="download" size={14} /> CSV
          <span className="visually-hidden"> of the {number} shown</span>
        </button>
      </div>
      <div className={classes.scroll}>
        <table className={classes.table} aria-label={label}>
          <Head columns={columns} sort={sort} onSort={onSort} />
          <tbody ref={body}>
            {shown.slice(0, most).map((row) => (
              <Line key={rowKey(row)} row={row} columns={columns} href={rowHref?.(row)} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && empty}
        {shown.length > most && (
          <button type="button" className={classes.csv} onClick={() => setMost(most + step)}>
            Show {Math.min(step, shown.length - most)} more of {grouped(shown.length)}
          </button>
        )}
      </div>
    </div>
  );
}

function Head<Row>({ columns, sort, onSort }: Pick<Props<Row>, "columns" | "sort" | "onSort">) {
  const now = parseSort(sort);
  return (
    <thead>
      <tr>
        {columns.map(({ id, header, align, wide }) => {
          const direction = now.id === id ? (now.descending ? "descending" : "ascending") : undefined;
          return (
            <th key={id} scope="col" aria-sort={direction} data-align={align} data-wide={wide}>
              <button
                type="button"
                className={classes.sort}
                onClick={() => onSort(nextSort(sort, id, align === "right"))}
              >
                {header}
                <span className={classes.arrow} aria-hidden="true">
                  {direction === "descending" ? "▾" : direction === "ascending" ? "▴" : ""}
                </span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Line<Row>({
  row,
  columns,
  href,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
}) {
  return (
    <tr>
      {columns.map(({ id, value, cell, align, wide }, index) => {
        const content = cell === undefined ? String(value(row) ?? "–") : cell(row);
        return (
          <td key={id} data-align={align} data-wide={wide}>
            {index === 0 && href !== undefined ? (
              <Anchor href={href} data-row-link="" className={classes.link}>
                {content}
              </Anchor>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** Up and Down move from row link to row link. */
function moveByArrow(event: KeyboardEvent, body: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || body === null) return;
  const links = [...body.querySelectorAll<HTMLElement>("[data-row-link]")];
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Downloads `text` as a UTF-8 CSV file. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has copied the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
