/** Values over a parameter or time, one curve per setting, with capacity or limit; and the same values as a table. */
import { SegmentedControl } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import classes from "@/ui/chart/CurveChart.module.css";
import {
  colourOf,
  curveColours,
  curveColumns,
  curveOptions,
  CURVES_LEFT,
  CURVES_RIGHT,
  dashOf,
  RATES,
  type Curves,
} from "@/ui/chart/curves";
import { MarkStrip, MarkTable } from "@/ui/chart/MarkStrip";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { useScheme } from "@/ui/useScheme";

export type CurveView = "chart" | "table";

interface Props {
  /** Accessible name of the table and the chart. */
  label: string;
  curves: Curves;
  view: CurveView;
  onView: (view: CurveView) => void;
  height?: number;
}

export function CurveChart({ label, curves, view, onView, height = 300 }: Props) {
  const [hovered, setHovered] = useState<number | null>(null);
  const index = hovered !== null && hovered < curves.x.length ? hovered : null;
  const scheme = useScheme();
  const { name } = curves.measure ?? RATES;
  return (
    <div className={classes.chart}>
      <div className={classes.head}>
        <span className="num dim">
          {index === null ? `${name} over ${curves.across}` : `${curves.across}: ${curves.labels[index]}`}
        </span>
        <SegmentedControl
          size="xs"
          aria-label="Show the lines as"
          value={view}
          onChange={(value) => onView(value as CurveView)}
          data={[
            { value: "chart", label: "chart" },
            { value: "table", label: "table" },
          ]}
        />
      </div>
      {view === "table" ? (
        <>
          <Twin label={label} curves={curves} />
          <MarkTable marks={curves.marks ?? []} />
        </>
      ) : (
        <div className={classes.drawn}>
          <Marks curves={curves} />
          <Canvas key={scheme} label={label} curves={curves} height={height} onHover={setHovered} />
        </div>
      )}
      {view === "chart" && <Legend curves={curves} index={index} />}
    </div>
  );
}

function Marks({ curves: { marks, x } }: { curves: Curves }) {
  const [start, end] = [x[0], x.at(-1)];
  if (marks === undefined || start === undefined || end === undefined || end <= start) return null;
  return <MarkStrip marks={marks} span={{ start, end }} left={CURVES_LEFT} right={CURVES_RIGHT} />;
}

function Legend({
  curves: { lines, capacity, scaling, x, measure: { format, level } = RATES },
  index,
}: {
  curves: Curves;
  index: number | null;
}) {
  const at = index ?? lastKnown(lines, x.length);
  return (
    <ul className={classes.legend} aria-label="Lines">
      {lines.map(({ label, rates }, line) => (
        <li key={label}>
          <Swatch colour={colourOf(line)} dash={dashOf(line)} /> {label}{" "}
          <b className="num">{format(rates[at])}</b>
        </li>
      ))}
      {capacity !== null && (
        <li>
          <Swatch colour="--capacity" dash={[]} /> {level} <b className="num">{format(capacity)}</b>
        </li>
      )}
      {scaling !== null && (
        <li>
          <Swatch colour="--text-2" dash={[2, 4]} /> linear scaling{" "}
          <b className="num">{format(scaling[at])}</b>
        </li>
      )}
    </ul>
  );
}

/** The newest point with a value, else the last one: the values of the newest bin may not be reported yet. */
function lastKnown(lines: Curves["lines"], points: number): number {
  const known = Math.max(...lines.map(({ rates }) => rates.findLastIndex((value) => value !== null)));
  return known >= 0 ? known : points - 1;
}

function Swatch({ colour, dash }: { colour: string; dash: readonly number[] }) {
  return (
    <svg width="28" height="10" viewBox="0 0 28 10" aria-hidden="true">
      <line
        x1="0"
        x2="28"
        y1="5"
        y2="5"
        stroke={`var(${colour})`}
        strokeWidth="2.5"
        strokeDasharray={dash.join(" ")}
      />
    </svg>
  );
}

function Canvas({
  label,
  curves,
  height,
  onHover,
}: {
  label: string;
  curves: Curves;
  height: number;
  onHover: (index: number | null) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const made = new uPlot(
      curveOptions(curves, curveColours(element), { width: element.clientWidth, height }, onHover),
      curveColumns(curves),
      element,
    );
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [curves, height, onHover]);
  return (
    <div
      ref={box}
      className={classes.plot}
      role="img"
      aria-label={describeCurves(label, curves)}
      data-lines={curves.lines.length}
    />
  );
}

/** Text alternative of the chart. */
function describeCurves(label: string, { lines, capacity, measure = RATES }: Curves): string {
  const { format, level } = measure;
  const most = (values: readonly (number | null)[]) => {
    const known = values.filter((one) => one !== null);
    return known.length === 0 ? "no values" : `at most ${format(Math.max(...known))}`;
  };
  const parts = lines.map((line) => `${line.label} ${most(line.rates)}`).join("; ");
  const limit = capacity === null ? "" : `${level[0]?.toUpperCase()}${level.slice(1)} ${format(capacity)}. `;
  return `${label}: ${parts}. ${limit}The table lists every value.`;
}

interface Point {
  index: number;
}

function Twin({ label, curves }: { label: string; curves: Curves }) {
  const columns = useMemo((): Column<Point>[] => {
    const { format, unit } = curves.measure ?? RATES;
    const rates = (id: string, header: string, of: (index: number) => number | null): Column<Point> => ({
      id,
      header,
      csvHeader: unit === "" ? header : `${header} (${unit})`,
      align: "right",
      value: ({ index }) => of(index),
      cell: ({ index }) => (of(index) === null ? "no value" : format(of(index))),
    });
    return [
      {
        id: "x",
        header: curves.across,
        value: ({ index }) => curves.x[index] ?? null,
        cell: ({ index }) => curves.labels[index],
      },
      ...curves.lines.map((line, at) => rates(`line${at}`, line.label, (index) => line.rates[index] ?? null)),
      ...(curves.scaling === null
        ? []
        : [rates("scaling", "linear scaling", (index) => curves.scaling?.[index] ?? null)]),
    ];
  }, [curves]);
  return (
    <div className={classes.twin} tabIndex={0} role="region" aria-label={`${label} as a table`}>
      <DataTable
        label={label}
        noun="points"
        rows={curves.x.map((_, index) => ({ index }))}
        columns={columns}
        rowKey={({ index }) => index}
        empty={null}
      />
    </div>
  );
}
