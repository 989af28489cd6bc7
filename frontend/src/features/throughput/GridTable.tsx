/** The n x n table of a mesh: rates, coloured by their share of the typical rate, with a glyph of the deviation. */
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
      <RampLegend title={`Colour: % of the typical ${rate(grid.usual)}`}>
        <ul className={tests.signs} aria-label="Glyphs">
          {DEVIATIONS.map((deviation) => (
            <li key={deviation}>
              <b aria-hidden="true">{GLYPHS[deviation]}</b> {deviation}
            </li>
          ))}
        </ul>
      </RampLegend>
    </>
  );
}
