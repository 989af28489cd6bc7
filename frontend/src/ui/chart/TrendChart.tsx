/** A small chart of two directions in any unit, in the crosshair of the others; its table is switched by the page. */
import { useMemo, useState } from "react";
import type { View } from "@/ui/chart/Chart";
import classes from "@/ui/chart/Chart.module.css";
import { MarkStrip, MarkTable } from "@/ui/chart/MarkStrip";
import { PLOT_RIGHT } from "@/ui/chart/options";
import { Plot, PLOT_LEFT } from "@/ui/chart/Plot";
import { meanOf, summary, type BidirectionalSeries, type Figure } from "@/ui/chart/shape";
import { EmptyState } from "@/ui/ErrorState";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { rate } from "@/util/units";

interface Props {
  title: string;
  data: BidirectionalSeries;
  span: { start: number; end: number } | null;
  view: View;
  onBrush: (start: number, end: number) => void;
  onBack: () => void;
  height: number;
  /** Links of the marks above the plot; charts below another one only have their lines. */
  hasMarkStrip?: boolean;
}

export function TrendChart({
  title,
  data,
  span,
  view,
  onBrush,
  onBack,
  height,
  hasMarkStrip = false,
}: Props) {
  const [hovered, setHovered] = useState<number | null>(null);
  const index = hovered !== null && hovered < data.at.length ? hovered : null;
  if (span === null) return <EmptyState title="Invalid time range." />;
  const { marks = [] } = data;
  if (view === "table")
    return (
      <>
        <Twin title={title} data={data} />
        {hasMarkStrip && <MarkTable marks={marks} />}
      </>
    );
  const isUnknown = [data.up, data.down].every(({ mean }) => mean.every((value) => value === null));
  if (isUnknown) return <EmptyState title="Not reported in this range." />;
  return (
    <div className={classes.chart}>
      <Readout data={data} index={index} />
      <div className={classes.drawn}>
        {hasMarkStrip && <MarkStrip marks={marks} span={span} left={PLOT_LEFT} right={PLOT_RIGHT} />}
        <Plot
          data={data}
          axis="auto"
          span={span}
          height={height}
          onBrush={onBrush}
          onHover={setHovered}
          onBack={onBack}
          description={describeTrend(title, data)}
        />
      </div>
    </div>
  );
}

const SIDES = ["up", "down"] as const;

function Readout({ data, index }: { data: BidirectionalSeries; index: number | null }) {
  const { format = rate, comparedText } = data;
  return (
    <div className={classes.readout}>
      {SIDES.map((side) => {
        const { label, mean, compared = [] } = data[side];
        const value = index === null ? summary(data[side]).mean : (mean[index] ?? null);
        return (
          <span key={side} className={classes.way} data-side={side}>
            <span className={classes.key} aria-hidden="true">
              {side === "up" ? "▲" : "▼"}
            </span>
            {label} <b className="num">{format(value)}</b>
            {comparedText !== undefined && (
              <span className="num dim">
                {` ${comparedText} ${format(index === null ? meanOf(compared) : (compared[index] ?? null))}`}
              </span>
            )}
          </span>
        );
      })}
    </div>
  );
}

function describeTrend(title: string, data: BidirectionalSeries): string {
  const { format = rate } = data;
  const sides = SIDES.map((side) => {
    const { mean, peak } = summary(data[side]);
    return `${data[side].label}: mean ${format(mean)}, highest ${format(peak)}`;
  });
  return `${title} over time. ${sides.join(". ")}. The table lists every value.`;
}

interface Bin {
  readonly at: number;
  readonly up: Figure;
  readonly down: Figure;
}

function Twin({ title, data }: { title: string; data: BidirectionalSeries }) {
  const { format = rate } = data;
  const rows = useMemo(
    () =>
      data.at
        .map((at, index): Bin => ({
          at,
          up: data.up.mean[index] ?? null,
          down: data.down.mean[index] ?? null,
        }))
        .toReversed(),
    [data],
  );
  const columns = useMemo(
    (): Column<Bin>[] => [
      {
        id: "at",
        header: "time",
        csvHeader: "time (Unix s)",
        value: ({ at }) => at,
        cell: ({ at }) => clock(new Date(at * 1000).toISOString()),
      },
      ...SIDES.map((side): Column<Bin> => ({
        id: side,
        header: data[side].label,
        align: "right",
        value: (bin) => bin[side],
        cell: (bin) => (bin[side] === null ? "no data" : format(bin[side])),
      })),
    ],
    [data, format],
  );
  return (
    <div className={classes.twin} tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <DataTable
        label={title}
        noun="bins"
        rows={rows}
        columns={columns}
        rowKey={({ at }) => at}
        empty={<EmptyState title="No reports in this range." />}
      />
    </div>
  );
}
