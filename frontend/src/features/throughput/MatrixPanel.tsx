/** The matrix of a run with unit, verdict filter and legend. */
import { NativeSelect, SegmentedControl } from "@mantine/core";
import { memo, useMemo } from "react";
import { useParam } from "@/api/scope";
import type { TestRunDetail } from "@/api/throughput";
import { heatOf, type Shown } from "./heat";
import { HeatTable } from "./HeatTable";
import { unitOf, type Matrix } from "./matrix";
import { RampLegend } from "./RampLegend";
import tests from "./Tests.module.css";
import { cellLabel, verdictLabel } from "./labels";
import { Panel } from "@/ui/Panel";
import { count, rate } from "@/util/units";

interface Props {
  run: TestRunDetail;
  matrix: Matrix;
  /** Index of the cell whose details are open, or empty. */
  selected: string;
  onSelect: (index: string) => void;
}

export function MatrixPanel({ run, matrix, selected, onSelect }: Props) {
  const unit = useMemo(() => unitOf(run.cells.map((cell) => cell.rate)), [run.cells]);
  const [shown, setShown] = useParam<Shown>("figures", "rate");
  const [only, setOnly] = useParam("verdict", "");
  const heat = useMemo(() => heatOf(matrix, unit, shown), [matrix, unit, shown]);
  const found = useMemo(
    () => (only === "" ? null : new Set(run.verdicts.find(({ name }) => name === only)?.cells.map(String))),
    [run.verdicts, only],
  );
  return (
    <Panel
      title="Matrix"
      aside={
        <div className={tests.tools}>
          <NativeSelect
            size="xs"
            aria-label="Highlight a verdict"
            value={only}
            onChange={(event) => setOnly(event.currentTarget.value)}
            data={[
              { value: "", label: "all verdicts" },
              ...run.verdicts.map(({ name, cells }) => ({
                value: name,
                label: `${verdictLabel(name).glyph} ${verdictLabel(name).text} (${cells.length})`,
              })),
            ]}
          />
          <SegmentedControl
            size="xs"
            aria-label="Cell values"
            value={shown}
            onChange={(value) => setShown(value as Shown)}
            data={[
              { value: "rate", label: unit.name },
              { value: "share", label: matrix.isUsableKnown ? "% of usable" : "% of best" },
            ]}
          />
        </div>
      }
    >
      <HeatTable
        label={`Matrix of ${run.name}`}
        heat={heat}
        only={found}
        selected={selected}
        onSelect={onSelect}
      />
      <Legend run={run} matrix={matrix} />
    </Panel>
  );
}

const Legend = memo(function Legend({ run, matrix }: { run: TestRunDetail; matrix: Matrix }) {
  const signs = useMemo(
    () => new Map(run.cells.map((cell) => [cellLabel(cell).text, cellLabel(cell)])),
    [run.cells],
  );
  return (
    <RampLegend
      title={
        matrix.isUsableKnown
          ? `Colour: % of ${rate(matrix.full)} usable`
          : `Colour: % of the best cell, ${rate(matrix.full)}(usable rate unknown)`
      }
    >
      <ul className={tests.signs} aria-label="Glyphs">
        {[...signs.values()].map(({ glyph, text }) => (
          <li key={text}>
            <b aria-hidden="true">{glyph}</b> {text}
          </li>
        ))}
      </ul>
      {run.cells_bad > 0 && (
        <span>{count(run.cells_bad, "cell")} without a result: open a cell for the reason.</span>
      )}
    </RampLegend>
  );
});
