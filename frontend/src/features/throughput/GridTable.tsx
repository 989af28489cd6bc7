/** The n x n table of a mesh: colour is the share of the usual rate, the glyph how far from it, the figure the rate. */
import { memo, useMemo, type MouseEvent } from "react";
import type { GridCell, TestGrid } from "@/api/throughput";
import { GLYPHS, standingOf, type Standing } from "./grid";
import { inUnit, unitOf, type Unit } from "./matrix";
import { rampStyle } from "./ramp";
import { moveByArrow, rove } from "./moves";
import classes from "./MatrixTable.module.css";
import tests from "./Tests.module.css";
import { rampClass } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";
import { percent, rate } from "@/util/units";

interface Props {
  grid: TestGrid;
  pairs: ReadonlyMap<string, GridCell>;
  /** `sender~receiver`, or empty. */
  selected: string;
  onSelect: (pair: string) => void;
}

const STANDINGS: readonly Standing[] = ["usual", "slow", "very slow", "faster", "failed", "untested"];

export function GridTable({ grid, pairs, selected, onSelect }: Props) {
  const { hosts, usual, suspects } = grid;
  const scheme = useScheme();
  const unit = useMemo(() => unitOf(grid.cells.map((cell) => cell.rate)), [grid.cells]);
  const senders = useMemo(() => new Set(suspects.filter(({ side }) => side === "sends" || side === "both").map(({ host }) => host)), [suspects]);
  const receivers = useMemo(() => new Set(suspects.filter(({ side }) => side === "receives" || side === "both").map(({ host }) => host)), [suspects]);
  const press = (event: MouseEvent<HTMLElement>) => {
    const pair = (event.target as Element).closest<HTMLElement>("[data-cell]")?.dataset.cell;
    if (pair !== undefined) onSelect(pair);
  };
  return (
    <>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Grid of ${grid.name}, scrolls sideways`}>
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the cells are buttons; the table hears of them once for all */}
        <table className={classes.table} style={rampStyle(scheme)} aria-label={`Grid of ${grid.name}`} data-narrow="true" onClick={press} onKeyDown={moveByArrow} onFocus={rove}>
          <thead>
            <tr>
              <th scope="col" className={classes.corner}>from \ to ({unit.name})</th>
              {hosts.map((host) => (
                <th key={host} scope="col" data-blamed={receivers.has(host)}>{host}{receivers.has(host) && " ▼"}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hosts.map((host, at) => (
              <Row key={host} host={host} hosts={hosts} pairs={pairs} usual={usual} unit={unit} isBlamed={senders.has(host)} selected={selected.startsWith(`${host}~`) ? selected : ""} isFirst={selected === "" && at === 0} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.legend}>
        <span>Colour: % of the usual {rate(usual)}</span>
        <ul className={tests.signs} aria-label="Glyphs">
          {STANDINGS.map((standing) => (
            <li key={standing}>
              <b aria-hidden="true">{GLYPHS[standing]}</b> {standing}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface RowProps {
  host: string;
  hosts: readonly string[];
  pairs: ReadonlyMap<string, GridCell>;
  usual: number;
  unit: Unit;
  isBlamed: boolean;
  selected: string;
  isFirst: boolean;
}

const Row = memo(function Row({ host, hosts, pairs, usual, unit, isBlamed, selected, isFirst }: RowProps) {
  const tabbed = selected === "" ? (isFirst ? `${host}~${hosts.find((other) => other !== host)}` : "") : selected;
  return (
    <tr>
      <th scope="row" data-blamed={isBlamed}>{host}{isBlamed && " ▼"}</th>
      {hosts.map((other) => {
        if (other === host) return <td key={other} className={classes.self} aria-label={`${host} itself`} />;
        const pair = `${host}~${other}`;
        const cell = pairs.get(pair);
        const standing = standingOf(cell, usual);
        const found = cell?.rate ?? null;
        const share = found === null || usual === 0 ? null : found / usual;
        return (
          <td key={other}>
            <button type="button" className={classes.cell} data-cell={pair} data-use={share === null ? "none" : rampClass(Math.min(1, share))} aria-pressed={pair === selected} tabIndex={pair === tabbed ? 0 : -1} aria-label={`${found === null ? "" : inUnit(found, unit)}, ${host} to ${other}: ${found === null ? standing : `${rate(found)}, ${percent(share)} of usual, ${standing}`}`}>
              {`${GLYPHS[standing]} ${found === null ? "" : inUnit(found, unit)}`}
            </button>
          </td>
        );
      })}
    </tr>
  );
});
