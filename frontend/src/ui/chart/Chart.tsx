/**
 * A rate chart of two directions, above and below zero: mean as a line, peak second as a band, capacity and 95th
 * percentile as levels, gaps left open; and the same values as a table.
 */
import { SegmentedControl } from "@mantine/core";
import { memo, useMemo, useState, type ReactNode } from "react";
import classes from "@/ui/chart/Chart.module.css";
import { MarkStrip, MarkTable } from "@/ui/chart/MarkStrip";
import { PLOT_RIGHT } from "@/ui/chart/options";
import { Plot, PLOT_LEFT } from "@/ui/chart/Plot";
import {
  meanOf,
  summary,
  type Axis,
  type Figure,
  type BidirectionalSeries,
  type DirectionSeries,
  type UsualLoad,
} from "@/ui/chart/shape";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { rate } from "@/util/units";

export type View = "chart" | "table";

interface Props {
  data: BidirectionalSeries;
  /** Unix seconds of both ends of the shown range; null: it is invalid. */
  span: { start: number; end: number } | null;
  axis: Axis;
  onAxis: (axis: Axis) => void;
  view: View;
  onView: (view: View) => void;
  onBrush: (start: number, end: number) => void;
  /** On double click: the range before the last brush. */
  onBack: () => void;
  /** Further controls, before the scale's. */
  controls?: ReactNode;
  height?: number;
}

export function Chart({
  data,
  span,
  axis,
  onAxis,
  view,
  onView,
  onBrush,
  onBack,
  controls,
  height = 280,
}: Props) {
  const [hovered, setHovered] = useState<number | null>(null);
  const index = hovered !== null && hovered < data.at.length ? hovered : null;
  if (span === null)
    return (
      <EmptyState title="Invalid time range.">
        Select another range in the top bar; its start must be before its end.
      </EmptyState>
    );
  return (
    <div className={classes.chart}>
      <div className={classes.head}>
        <Readout data={data} index={index} />
        <div className={classes.switches}>
          {controls}
          <SegmentedControl
            size="xs"
            aria-label="Scale of the rate axis"
            value={axis}
            onChange={(value) => onAxis(value as Axis)}
            data={[
              { value: "capacity", label: "line rate" },
              { value: "auto", label: "auto" },
            ]}
          />
          <SegmentedControl
            size="xs"
            aria-label="Show as"
            value={view}
            onChange={(value) => onView(value as View)}
            data={[
              { value: "chart", label: "chart" },
              { value: "table", label: "table" },
            ]}
          />
        </div>
      </div>
      {view === "table" ? (
        <>
          <Twin data={data} />
          <MarkTable marks={data.marks ?? []} />
        </>
      ) : (
        <div className={classes.drawn}>
          <MarkStrip marks={data.marks ?? []} span={span} left={PLOT_LEFT} right={PLOT_RIGHT} />
          <Plot
            data={data}
            axis={axis}
            span={span}
            height={height}
            onBrush={onBrush}
            onHover={setHovered}
            onBack={onBack}
            description={describeAll(data)}
          />
        </div>
      )}
      <Legend data={data} />
    </div>
  );
}

/** The values under the pointer, or of the whole range. */
function Readout({ data, index }: { data: BidirectionalSeries; index: number | null }) {
  const at = index === null ? undefined : data.at[index];
  return (
    <div className={classes.readout}>
      <span className="num dim">
        {at === undefined ? "whole range" : clock(new Date(at * 1000).toISOString())}
      </span>
      {(
        [
          ["up", data.up],
          ["down", data.down],
        ] as const
      ).map(([side, direction]) => {
        const { mean, peak } =
          index === null
            ? summary(direction)
            : { mean: direction.mean[index] ?? null, peak: direction.max[index] ?? null };
        return (
          <span key={side} className={classes.way} data-side={side}>
            <span className={classes.key} aria-hidden="true">
              {side === "up" ? "▲" : "▼"}
            </span>
            {direction.label} <b className="num">{rate(mean)}</b>{" "}
            <span className="num dim">
              {data.onlyMeans === true ? "highest bin" : "peak"} {rate(peak)}
              {index !== null && direction.usual != null && `, usually ${usualText(direction.usual, index)}`}
              {data.comparedText !== undefined &&
                `, ${data.comparedText} ${rate(comparedMean(direction, index))}`}
            </span>
          </span>
        );
      })}
    </div>
  );
}

/** Of a bin, or of the whole range. */
function comparedMean({ compared = [] }: DirectionSeries, index: number | null): Figure {
  return index === null ? meanOf(compared) : (compared[index] ?? null);
}

/** `12 Mb/s to 20 Mb/s`, or `unknown`. */
function usualText({ low, high }: UsualLoad, index: number): string {
  const [least, most] = [low[index] ?? null, high[index] ?? null];
  return least === null || most === null ? "unknown" : `${rate(least)} to ${rate(most)}`;
}

function Legend({ data }: { data: BidirectionalSeries }) {
  return (
    <ul className={classes.legend}>
      <li>
        <i data-mark="mean" /> mean
      </li>
      {data.onlyMeans !== true && (
        <li>
          <i data-mark="band" /> peak (1 s)
        </li>
      )}
      <li>
        <i data-mark="capacity" /> capacity <span className="num">{rate(data.capacity)}</span>
      </li>
      {data.onlyMeans !== true && (
        <li>
          <i data-mark="p95" /> p95 (5-min), up <span className="num">{rate(data.up.p95)}</span>, down{" "}
          <span className="num">{rate(data.down.p95)}</span>
        </li>
      )}
      <li>
        <i data-mark="gap" className="hatched" /> no data
      </li>
      {data.comparedText !== undefined && (
        <li>
          <i data-mark="compared" /> mean {data.comparedText}
        </li>
      )}
      {data.up.usual != null && (
        <li>
          <i data-mark="usual" /> usual at this hour of the week (10 to 90 % of the weeks, dotted: median)
        </li>
      )}
      {data.resets.length > 0 && <li>R counter restarted</li>}
    </ul>
  );
}

function describeAll(data: BidirectionalSeries): string {
  const direction = (one: DirectionSeries) => {
    const { mean, peak } = summary(one);
    return `${one.label}: mean ${rate(mean)}, peak ${rate(peak)}`;
  };
  return `Rates over time. ${direction(data.up)}. ${direction(data.down)}. Capacity ${rate(data.capacity)}. The table lists every value.`;
}

interface Bin {
  at: number;
  upMean: Figure;
  upMax: Figure;
  downMean: Figure;
  downMax: Figure;
  upUsual: Figure;
  upRange: string;
  downUsual: Figure;
  downRange: string;
  upCompared: Figure;
  downCompared: Figure;
}

const TIME: Column<Bin> = {
  id: "at",
  header: "time",
  csvHeader: "time (Unix s)",
  value: ({ at }) => at,
  cell: ({ at }) => clock(new Date(at * 1000).toISOString()),
};

type FigureId = "upMean" | "upMax" | "upCompared" | "downMean" | "downMax" | "downCompared";

function figureColumn(id: FigureId, header: string): Column<Bin> {
  return {
    id,
    header,
    csvHeader: `${header} (bit/s)`,
    align: "right",
    value: (bin) => bin[id],
    cell: (bin) => (bin[id] === null ? "no data" : rate(bin[id])),
  };
}

function usualColumn(side: "up" | "down", header: string): Column<Bin> {
  return {
    id: `${side}Usual`,
    header,
    csvHeader: `${header}, median (bit/s)`,
    align: "right",
    value: (bin) => bin[`${side}Usual`],
    cell: (bin) => bin[`${side}Range`],
  };
}

const usualOf = ({ usual }: DirectionSeries, index: number): [Figure, string] =>
  usual == null ? [null, ""] : [usual.median[index] ?? null, usualText(usual, index)];

/** Renders only for new values, not for pointer moves or clock ticks. */
const Twin = memo(function Twin({ data }: { data: BidirectionalSeries }) {
  const bins = useMemo(
    () =>
      data.at
        .map((at, index): Bin => {
          const [upUsual, upRange] = usualOf(data.up, index);
          const [downUsual, downRange] = usualOf(data.down, index);
          return {
            at,
            upMean: data.up.mean[index] ?? null,
            upMax: data.up.max[index] ?? null,
            downMean: data.down.mean[index] ?? null,
            downMax: data.down.max[index] ?? null,
            upUsual,
            upRange,
            downUsual,
            downRange,
            upCompared: data.up.compared?.[index] ?? null,
            downCompared: data.down.compared?.[index] ?? null,
          };
        })
        .toReversed(),
    [data],
  );
  const hasUsual = data.up.usual != null;
  const { comparedText } = data;
  const columns = useMemo(
    () => [
      TIME,
      figureColumn("upMean", `${data.up.label} mean`),
      figureColumn("upMax", `${data.up.label} peak`),
      figureColumn("downMean", `${data.down.label} mean`),
      figureColumn("downMax", `${data.down.label} peak`),
      ...(hasUsual
        ? [usualColumn("up", `${data.up.label} usually`), usualColumn("down", `${data.down.label} usually`)]
        : []),
      ...(comparedText === undefined
        ? []
        : [
            figureColumn("upCompared", `${data.up.label} ${comparedText}`),
            figureColumn("downCompared", `${data.down.label} ${comparedText}`),
          ]),
    ],
    [data.up.label, data.down.label, hasUsual, comparedText],
  );
  return (
    <DataTable
      label="Rates over time"
      noun="bins"
      rows={bins}
      columns={columns}
      rowKey={({ at }) => at}
      empty={<EmptyState title="No reports in this range." />}
    />
  );
});
