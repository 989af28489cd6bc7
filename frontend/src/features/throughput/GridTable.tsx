/** The n x n table of a mesh: colour is the share of the usual rate, the glyph how far from it, the figure the rate. */
import { useMemo } from "react";
import type { TestGrid } from "@/api/throughput";
import { GLYPHS, gridHeat, STANDINGS } from "./grid";
import { HeatTable } from "./HeatTable";
import classes from "./HeatTable.module.css";
import { rampStyle } from "./ramp";
import tests from "./Tests.module.css";
import { rampSpans } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";
import { rate } from "@/util/units";

interface Props {
  grid: TestGrid;
  /** `sender~receiver`, or empty. */
  selected: string;
  onSelect: (pair: string) => void;
}

export function GridTable({ grid, selected, onSelect }: Props) {
  const scheme = useScheme();
  const heat = useMemo(() => gridHeat(grid), [grid]);
  return (
    <>
      <HeatTable label={`Grid of ${grid.name}`} heat={heat} selected={selected} onSelect={onSelect} />
      <div className={classes.legend}>
        <span>Colour: % of the usual {rate(grid.usual)}</span>
        <ol className={classes.ramp} style={rampStyle(scheme)} aria-label="Colours in per cent">
          {rampSpans(scheme).map(({ label }, at) => (
            <li key={label} data-use={at} className="num">{label}</li>
          ))}
        </ol>
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
