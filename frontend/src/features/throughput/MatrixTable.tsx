/** The matrix of a run: colour is the share of usable, the glyph and its word are the verdict, and every cell has its figure. */
import { memo, type MouseEvent } from "react";
import type { TestCell } from "@/api/throughput";
import { ARROWS, DIRECTION_WORDS, inUnit, shareOf, type Matrix, type MatrixRow, type Unit } from "./matrix";
import classes from "./MatrixTable.module.css";
import { moveByArrow, rove } from "./moves";
import { rampStyle } from "./ramp";
import { cellSign, whyNot } from "./words";
import { rampClass } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";
import { percent, rate } from "@/util/units";

export type Shown = "rate" | "share";

interface Props {
  label: string;
  matrix: Matrix;
  unit: Unit;
  shown: Shown;
  /** Index of the cell whose details are open. */
  selected: number | null;
  /** Only these cells' verdicts are looked for; the others step back. */
  only: string;
  onSelect: (index: number) => void;
}

/** From so many columns on, glyphs stand without their words: those are in the legend and in each cell's name. */
const NARROW_FROM = 13;

export function MatrixTable({ label, matrix, unit, shown, selected, only, onSelect }: Props) {
  const isNarrow = matrix.columns.length >= NARROW_FROM;
  const first = matrix.rows.flatMap(({ spots }) => spots.flat())[0]?.index ?? null;
  const press = (event: MouseEvent<HTMLElement>) => {
    const at = (event.target as Element).closest<HTMLElement>("[data-cell]")?.dataset.cell;
    if (at !== undefined) onSelect(Number(at));
  };
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`${label}, scrolls sideways`}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the cells are buttons; the table hears of them once for all */}
      <table className={classes.table} style={rampStyle(useScheme())} aria-label={label} data-narrow={isNarrow} onClick={press} onKeyDown={moveByArrow} onFocus={rove}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>{matrix.down === "" ? "" : `${matrix.down} \\ `}{matrix.across}</th>
            {matrix.columns.map(({ key, label: words }) => (
              <th key={key} scope="col">{words}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row) => (
            <Row key={row.key} row={row} columns={matrix.columns} full={matrix.full} unit={unit} shown={shown} only={only} isTwoWay={matrix.isTwoWay} isNarrow={isNarrow} selected={holds(row, selected) ? selected : null} tabbed={holds(row, selected ?? first) ? (selected ?? first) : null} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const holds = ({ spots }: MatrixRow, index: number | null): boolean => index !== null && spots.some((spot) => spot.some((cell) => cell.index === index));

interface RowProps {
  row: MatrixRow;
  columns: Matrix["columns"];
  full: number;
  unit: Unit;
  shown: Shown;
  only: string;
  isTwoWay: boolean;
  isNarrow: boolean;
  selected: number | null;
  tabbed: number | null;
}

/** Drawn again only when something in it changes: choosing a cell draws two rows, not all. */
const Row = memo(function Row({ row, columns, full, unit, shown, only, isTwoWay, isNarrow, selected, tabbed }: RowProps) {
  return (
    <tr>
      <th scope="row">{row.label === "" ? "measured" : row.label}</th>
      {row.spots.map((spot, at) => (
        <td key={columns[at]?.key}>
          {spot.map((cell) => {
            const share = shareOf(cell, full);
            const { glyph, word, words } = cellSign(cell);
            const figure = share === null || cell.rate === null ? "" : shown === "share" ? percent(share) : inUnit(cell.rate, unit);
            const way = isTwoWay ? `${ARROWS[cell.parameters.direction]} ` : "";
            return (
              <button
                key={cell.index} type="button" className={classes.cell} data-cell={cell.index} data-use={share === null ? "none" : rampClass(share)} data-state={cell.state}
                data-aside={only !== "" && cell.verdict?.name !== only} aria-pressed={cell.index === selected} tabIndex={cell.index === tabbed ? 0 : -1}
                aria-label={`${figure} ${word}, ${row.label} ${columns[at]?.label ?? ""}${isTwoWay ? `, ${DIRECTION_WORDS[cell.parameters.direction]}` : ""}: ${cell.rate === null ? whyNot(cell) : `${rate(cell.rate)}, ${percent(share)}, ${words}`}`}
              >
                {isNarrow ? (
                  `${glyph}${way}${figure}`
                ) : (
                  <>
                    <b>{way}{figure}</b>
                    <span><i aria-hidden="true">{glyph}</i> {word}</span>
                  </>
                )}
              </button>
            );
          })}
        </td>
      ))}
    </tr>
  );
});

/** One cell alone, as the legend and the details show it. */
export function CellSwatch({ cell, full }: { cell: TestCell; full: number }) {
  const share = shareOf(cell, full);
  return <span className={classes.swatch} style={rampStyle(useScheme())} data-use={share === null ? "none" : rampClass(share)} aria-hidden="true">{cellSign(cell).glyph}</span>;
}
