/** A device metric in a fixed range with its limit, for pages about something that happened to it. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useAnnotations } from "@/api/ports/annotations";
import { figureHistoryQuery } from "@/api/queries";
import type { FigureHistory } from "@/api/types";
import { describeHistory } from "./metrics";
import { CurveChart, type CurveView } from "@/ui/chart/CurveChart";
import type { Curves } from "@/ui/chart/curves";
import { ESTIMATED_P95, timeTick } from "@/ui/chart/shape";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { describe, type Range } from "@/util/time";
import { amount, NONE } from "@/util/units";

interface Props {
  node: number;
  metric: string;
  /** Port or part; empty: the device. */
  subject: string;
  /** `Temperature of temp1`. */
  name: string;
  /** In the metric's unit; null: unknown. */
  threshold: number | null;
  range: Range;
  /** Empty or missing: of any collector. */
  collector?: string;
  /** CSS pixels. */
  height?: number;
}

export function MetricPeriod(props: Props) {
  return (
    <Panel title={`${props.name}, ${describe(props.range)}`}>
      <MetricChart {...props} />
    </Panel>
  );
}

export function MetricChart({
  node,
  metric,
  subject,
  collector,
  name,
  threshold,
  range,
  height = 220,
}: Props) {
  const [view, setView] = useState<CurveView>("chart");
  const history = useQuery(
    figureHistoryQuery(node, { metric, subject, ...(collector === undefined ? {} : { collector }) }, range),
  );
  const marks = useAnnotations(range, { nodes: [node] });
  const curves = useMemo(
    () => (history.data === undefined ? null : { ...curvesOf(history.data, threshold), marks: marks ?? [] }),
    [history.data, threshold, marks],
  );
  return (
    <QueryBoundary query={history} what="the history of this metric">
      {(data) =>
        curves === null || data.mean.every((value) => value === null) ? (
          <EmptyState title="No value is stored of this time." />
        ) : (
          <>
            <CurveChart label={name} curves={curves} view={view} onView={setView} height={height} />
            <p className="dim">
              {describeHistory(data)}
              {data.p95_exact ? "" : ` ${ESTIMATED_P95}`}
            </p>
          </>
        )
      }
    </QueryBoundary>
  );
}

/** Mean and maximum of each bin over time, and the limit. */
export function curvesOf(history: FigureHistory, threshold: number | null): Curves {
  const { title, unit, per_second, at, mean, max, step_s } = history;
  const tail = per_second ? `${unit}/s` : unit;
  const isBinned = max.some((value, index) => value !== mean[index]);
  return {
    across: "time",
    x: at,
    labels: at.map((moment) => timeTick(moment, step_s)),
    lines: [
      { label: isBinned ? "mean" : title, rates: mean },
      ...(isBinned ? [{ label: "maximum", rates: max }] : []),
    ],
    measure: {
      name: title,
      format: (value) => {
        const text = amount(value);
        return tail === "" || text === NONE ? text : `${text} ${tail}`;
      },
      unit: tail,
      level: "limit",
    },
    capacity: threshold,
    scaling: null,
    isLogarithmic: false,
  };
}
