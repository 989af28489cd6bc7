/** The n x n table of a mesh: colour is the share of the usual rate, the glyph how far from it, the figure the rate. */
import { useMemo } from "react";
import type { TestGrid } from "@/api/throughput";
import { GLYPHS, gridHeat, DEVIATIONS } from "./grid";
import { HeatTable } from "./HeatTable";
import { RampLegend } from "./RampLegend";
import tests from "./Tests.module.css";
import { rate } from "@/util/units";

interface Props {
  grid: TestGrid;
  /** `sender~receiver`, or empty. */
  selected: string;
  onSelect: (pair: string) => void;
}

export function GridTable({ grid, selected, onSelect }: Props) {
  const heat = useMemo(() => gridHeat(grid), [grid]);
  return (
    <>
      <HeatTable label={`Grid of ${grid.name}`} heat={heat} selected={selected} onSelect={onSelect} />
      <RampLegend words={`Colour: % of the usual ${rate(grid.usual)}`}>
        <ul className={tests.signs} aria-label="Glyphs">
          {DEVIATIONS.map((standing) => (
            <li key={standing}>
              <b aria-hidden="true">{GLYPHS[standing]}</b> {standing}
            </li>
          ))}
        </ul>
      </RampLegend>
    </>
  );
}
