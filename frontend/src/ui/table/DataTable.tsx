/**
 * The table of all pages: rows in the given order, sorting by the server, arrow keys between rows, rows opened by links,
 * CSV export. Long tables render only the rows near the viewport.
 */
import { memo, useEffect, useMemo, useRef, type ReactNode } from "react";
import { rowSortingFeature, tableFeatures, useTable, type SortingState } from "@tanstack/react-table";
import { Anchor } from "@/ui/Anchor";
import classes from "@/ui/table/DataTable.module.css";
import { LoadMore } from "@/ui/table/LoadMore";
import { CsvButton } from "@/ui/table/CsvButton";
import { ColumnChooser } from "@/ui/table/ColumnChooser";
import type { Column, Rest } from "@/ui/table/columns";
import { arrange, parseLayout, type Layout } from "@/ui/table/layout";
import { RowBlock } from "@/ui/table/RowBlock";
import { useVisibleRows } from "@/ui/table/useVisibleRows";
import { grouped } from "@/util/units";

interface Props<Row> {
  /** Accessible name and, in lower case, name of the CSV file. */
  label: string;
  rows: readonly Row[];
  /** All columns that can be shown. */
  columns: readonly Column<Row>[];
  /** Which columns are shown, if people can choose. */
  layout?: Layout | undefined;
  rowKey: (row: Row) => string | number;
  /** Target of the first column's link; undefined for rows without a page. */
  rowHref?: (row: Row) => string | undefined;
  /** `name` or `-utilisation`; absent if not sortable. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** Shown instead of rows. */
  empty: ReactNode;
  /** Next to the count, above the table: filters. */
  tools?: ReactNode;
  /** Plural noun of the rows: `links`. */
  noun: string;
  /** Present while more rows can be loaded. */
  rest?: Rest | undefined;
  /** All rows for the CSV, if `rows` has only some. */
  all?: () => Promise<readonly Row[]>;
  /** A few rows inside a panel: without frame, count and CSV. */
  isPlain?: boolean;
}

const FEATURES = tableFeatures({ rowSortingFeature });

/** Converts the URL's sort, `name` or `-utilisation`, to the table's state. */
const sortingOf = (sort: string): SortingState =>
  sort === "" ? [] : [{ id: sort.replace(/^-/, ""), desc: sort.startsWith("-") }];

function useModel<Row>({ rows, columns, rowKey, sort = "", onSort }: Props<Row>) {
  // A row that moved while its list was loaded may be on two pages: keep the later one.
  const data = useMemo(() => {
    const byKey = new Map(rows.map((row) => [String(rowKey(row)), row]));
    return [...byKey].map(([key, row]) => ({ key, row }));
  }, [rows, rowKey]);
  const sorting = useMemo(() => sortingOf(sort), [sort]);
  const defs = useMemo(
    () =>
      columns.map(({ id, sortable = false, align, value }) => ({
        id,
        accessorFn: ({ row }: { row: Row }) => value(row),
        enableSorting: sortable,
        // Numbers descending first, names ascending.
        sortDescFirst: align === "right",
      })),
    [columns],
  );
  return useTable({
    features: FEATURES,
    data,
    columns: defs,
    getRowId: ({ key }) => key,
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange: (update) => {
      const [next] = typeof update === "function" ? update(sorting) : update;
      if (next !== undefined) onSort?.(`${next.desc ? "-" : ""}${next.id}`);
    },
  });
}

type Model<Row> = ReturnType<typeof useModel<Row>>;

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns: known, layout, rowHref, empty, tools, noun, rest, all, isPlain = false } = props;
  const text = layout?.text ?? "";
  const columns = useMemo(() => arrange(known, parseLayout(text, known)), [known, text]);
  const model = useModel({ ...props, columns });
  const rows = model.getRowModel().rows;
  const body = useRef<HTMLTableSectionElement>(null);
  const { visible, above, below, isVirtual, measure } = useVisibleRows(rows.length, body);
  useEffect(() => {
    const element = body.current;
    const onKey = (event: KeyboardEvent) => moveByArrow(event, element);
    element?.addEventListener("keydown", onKey);
    return () => element?.removeEventListener("keydown", onKey);
  }, []);
  const number = rows.length === 1 ? `1 ${noun.replace(/s(?=,|$)/, "")}` : `${grouped(rows.length)} ${noun}`;
  return (
    <div className={isPlain ? undefined : classes.frame} data-frame={isPlain ? undefined : ""}>
      {!isPlain && (
        <div className={classes.tools}>
          {tools}
          <span className={`num dim ${classes.count}`} aria-live="polite">
            {rest === undefined ? number : `first ${number}`}
          </span>
          {layout !== undefined && <ColumnChooser columns={known} layout={layout} />}
          <CsvButton
            label={label}
            of={rest === undefined ? `the ${number} shown` : `all matching ${noun}`}
            columns={columns}
            disabled={rows.length === 0}
            read={all ?? (() => Promise.resolve(rows.map(({ original }) => original.row)))}
          />
        </div>
      )}
      <div className={classes.scroll}>
        <table
          className={classes.table}
          aria-label={label}
          aria-rowcount={rest !== undefined ? -1 : isVirtual ? rows.length + 1 : undefined}
        >
          <Head model={model} columns={columns} />
          <tbody ref={body}>
            <RowBlock height={above} columns={columns.length} />
            {visible.map(({ index }) => {
              const row = rows[index];
              return (
                row !== undefined && (
                  <TableRow
                    key={row.id}
                    row={row.original.row}
                    columns={columns}
                    href={rowHref?.(row.original.row)}
                    index={index}
                    isVirtual={isVirtual}
                    measure={measure}
                  />
                )
              );
            })}
            <RowBlock height={below} columns={columns.length} />
          </tbody>
        </table>
        {rows.length === 0 && empty}
        <LoadMore rest={rest} />
      </div>
    </div>
  );
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

function Head<Row>({ model, columns }: { model: Model<Row>; columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ id, header, align, wide, sortable = false }) => {
          const column = model.getColumn(id);
          const direction = sortable && column?.getIsSorted();
          return (
            <th
              key={id}
              scope="col"
              aria-sort={direction ? ARIA_SORT[direction] : undefined}
              data-align={align}
              data-wide={wide}
            >
              {sortable ? (
                <button type="button" className={classes.sort} onClick={() => column?.toggleSorting()}>
                  {header}
                  <span className={classes.arrow} aria-hidden="true">
                    {direction === "desc" ? "▾" : direction === "asc" ? "▴" : ""}
                  </span>
                </button>
              ) : (
                <span className={classes.header}>{header}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface CellsProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
}

interface RowProps<Row> extends CellsProps<Row> {
  index: number;
  isVirtual: boolean;
  measure: ((row: HTMLElement | null) => void) | undefined;
}

function areAlike<Row>(some: readonly Column<Row>[], others: readonly Column<Row>[]): boolean {
  const isAlike = (a: Column<Row>, b: Column<Row> | undefined) =>
    a.id === b?.id &&
    a.value === b.value &&
    a.cell === b.cell &&
    a.align === b.align &&
    a.wide === b.wide &&
    a.wraps === b.wraps;
  return (
    some === others || (some.length === others.length && some.every((one, at) => isAlike(one, others[at])))
  );
}

/** Rendered again only if it shows something else: rows are measured, counted and scrolled more often than they change. */
const TableRow = memo(
  function TableRow<Row>({ index, isVirtual, measure, ...cells }: RowProps<Row>) {
    return (
      <tr ref={measure} data-index={index} aria-rowindex={isVirtual ? index + 2 : undefined}>
        <Cells {...cells} />
      </tr>
    );
  },
  ({ columns: before, ...old }, { columns, ...next }) =>
    areAlike(before, columns) &&
    (Object.keys(next) as (keyof typeof next)[]).every((name) => old[name] === next[name]),
) as <Row>(props: RowProps<Row>) => ReactNode;

function Cells<Row>({ row, columns, href }: CellsProps<Row>) {
  return columns.map(({ id, value, cell, align, wide, wraps }, index) => {
    const content = cell === undefined ? String(value(row) ?? "–") : cell(row);
    return (
      <td key={id} data-align={align} data-wide={wide} data-wraps={wraps}>
        {index === 0 && href !== undefined ? (
          <Anchor href={href} data-row-link="" className={classes.link}>
            {content}
          </Anchor>
        ) : (
          content
        )}
      </td>
    );
  });
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
