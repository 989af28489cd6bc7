/**
 * A table of coloured cells with glyph, value and a full accessible name.
 *
 * Thousands of cells are common (a mesh of 50 ends has 2 450), so a cell is a plain table cell without component or
 * listener: the table handles clicks and keys, and a selection redraws two rows.
 */
import {
  memo,
  startTransition,
  useEffect,
  useMemo,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type FocusEvent,
} from "react";
import classes from "./HeatTable.module.css";
import type { Heat, HeatCell, HeatRow } from "./heat";
import { rampStyle } from "./ramp";
import { useScheme } from "@/ui/useScheme";

interface Props {
  label: string;
  heat: Heat;
  /** Id of the cell whose details are open, or empty. */
  selected: string;
  /** Ids of highlighted cells; null: all. */
  only?: ReadonlySet<string> | null;
  onSelect: (id: string) => void;
}

/** Tables with at least this many columns show glyphs only; labels are in the legend and the accessible names. */
const NARROW_FROM = 13;
/** Tables with at least this many cells use fixed column widths: measuring text would take seconds. */
const LARGE_FROM = 400;
/** Longer headings of narrow columns are rotated. */
const UPRIGHT = 5;
const LONGEST_LABEL = 28;
/** Rows of a large table in the first paint; the others follow. */
const ROWS_AT_ONCE = 24;

export const HeatTable = memo(function HeatTable({ label, heat, selected, only = null, onSelect }: Props) {
  const scheme = useScheme();
  const { columns, rows, corner } = heat;
  const shape = useMemo(() => shapeOf(heat), [heat]);
  const rowOf = useMemo(
    () =>
      new Map(
        rows.flatMap((row) =>
          row.cells.flatMap((cell): [string, HeatRow][] => (isCell(cell) ? [[cell.id, row]] : [])),
        ),
      ),
    [rows],
  );
  const first = useMemo(() => rows.flatMap(({ cells }) => cells).find(isCell)?.id ?? "", [rows]);
  const tabbed = rowOf.has(selected) ? selected : first;
  const style = useMemo((): CSSProperties => ({ ...rampStyle(scheme), ...shape.variables }), [scheme, shape]);
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    const later = setTimeout(() => startTransition(() => setIsWhole(true)));
    return () => clearTimeout(later);
  }, []);
  const press = (event: MouseEvent<HTMLElement>) => selectCell(event.target, onSelect);
  const key = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.key !== "Enter" && event.key !== " ") return moveByArrow(event);
    if (selectCell(event.target, onSelect)) event.preventDefault();
  };
  return (
    <div
      className={classes.scroll}
      tabIndex={0}
      role="region"
      aria-label={`${label}, scrollable`}
      data-large={shape.isLarge}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the arrow keys move over this table
        role="grid"
        className={classes.table}
        style={style}
        aria-label={label}
        data-narrow={shape.isNarrow}
        data-large={shape.isLarge}
        aria-rowcount={rows.length + 1}
        onClick={press}
        onKeyDown={key}
        onFocus={keepTabStop}
      >
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {corner}
            </th>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-blamed={column.isBlamed} data-upright={shape.isUpright}>
                <span>
                  {column.label}
                  {column.isBlamed && " ▼"}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isWhole || !shape.isLarge ? rows : rows.slice(0, ROWS_AT_ONCE)).map((row) => (
            <Row
              key={row.key}
              row={row}
              isNarrow={shape.isNarrow}
              only={only}
              selected={rowOf.get(selected) === row ? selected : ""}
              tabbed={rowOf.get(tabbed) === row ? tabbed : ""}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
});

const isCell = (cell: HeatCell | "self" | null): cell is HeatCell => cell !== null && cell !== "self";

function selectCell(target: EventTarget, onSelect: (id: string) => void): boolean {
  const id = (target as Element).closest<HTMLElement>("[data-cell]")?.dataset.cell;
  if (id !== undefined) onSelect(id);
  return id !== undefined;
}

function shapeOf({ rows, columns }: Heat): {
  isNarrow: boolean;
  isLarge: boolean;
  isUpright: boolean;
  variables: Record<string, string>;
} {
  const isNarrow = columns.length >= NARROW_FROM;
  const isLarge = rows.length * columns.length >= LARGE_FROM;
  const longest = rows.reduce(
    (most, { label, isBlamed }) => Math.max(most, label.length + (isBlamed ? 2 : 0)),
    0,
  );
  const isUpright =
    isNarrow && columns.some(({ label, isBlamed }) => label.length + (isBlamed ? 2 : 0) > UPRIGHT);
  return {
    isNarrow,
    isLarge,
    isUpright,
    variables: {
      "--columns": String(columns.length),
      "--first": `${Math.min(LONGEST_LABEL, Math.max(9, longest)) + 2}ch`,
      "--cell": isNarrow ? "46px" : "84px",
    },
  };
}

interface RowProps {
  row: HeatRow;
  isNarrow: boolean;
  only: ReadonlySet<string> | null;
  selected: string;
  tabbed: string;
}

/** Memoised: selecting a cell redraws two rows. */
const Row = memo(function Row({ row, isNarrow, only, selected, tabbed }: RowProps) {
  return (
    <tr>
      <th
        scope="row"
        data-blamed={row.isBlamed}
        title={row.label.length > LONGEST_LABEL ? row.label : undefined}
      >
        {row.label}
        {row.isBlamed && " ▼"}
      </th>
      {row.cells.map((cell, at) => {
        if (!isCell(cell))
          return (
            <td
              // oxlint-disable-next-line react/no-array-index-key -- a column is identified by its position
              key={at}
              className={cell === "self" ? classes.self : undefined}
              aria-label={cell === "self" ? "itself" : "not tested"}
            />
          );
        const { id, tone, state, label, glyph, figure, short } = cell;
        return (
          <td
            key={id}
            className={classes.cell}
            data-cell={id}
            data-use={tone}
            data-state={state}
            data-aside={only !== null && !only.has(id)}
            aria-selected={id === selected}
            tabIndex={id === tabbed ? 0 : -1}
            aria-label={label}
          >
            {isNarrow ? (
              `${glyph} ${figure}`
            ) : (
              <>
                <b>{figure}</b>
                <span>
                  <i aria-hidden="true">{glyph}</i> {short}
                </span>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** Makes the focused cell the tab stop. */
function keepTabStop({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLElement) || target.dataset.cell === undefined) return;
  for (const other of currentTarget.querySelectorAll<HTMLElement>('[data-cell][tabindex="0"]'))
    other.tabIndex = -1;
  target.tabIndex = 0;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus to the next cell, skipping empty places. */
function moveByArrow(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const place = (event.target as Element).closest<HTMLElement>("[data-cell]");
  const line = place?.closest("tr");
  if (step === undefined || place === null || line == null) return;
  event.preventDefault();
  const [down, right] = step;
  const column = [...line.children].indexOf(place);
  const next = down === 0 ? nextInRow(place, right) : nextInColumn(line, column, down);
  next?.focus();
}

function nextInRow(place: Element, step: number): HTMLElement | null {
  let next: Element | null = place;
  do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
  while (next !== null && !isCellElement(next));
  return next as HTMLElement | null;
}

function nextInColumn(line: Element, column: number, step: number): HTMLElement | null {
  let next: Element | null = line;
  do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
  while (next !== null && !isCellElement(next.children[column]));
  return (next?.children[column] ?? null) as HTMLElement | null;
}

const isCellElement = (element: Element | undefined): boolean =>
  element instanceof HTMLElement && element.dataset.cell !== undefined;
