/** A device metric in a fixed range with its limit, for pages about something that happened to it. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { figureHistoryQuery } from "@/api/queries";
import type { FigureHistory } from "@/api/types";
import { describeHistory } from "./Metrics";
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
}

export function MetricPeriod({ node, metric, subject, name, threshold, range }: Props) {
  const [view, setView] = useState<CurveView>("chart");
  const history = useQuery(figureHistoryQuery(node, { metric, subject }, range));
  const curves = useMemo(
    () => (history.data === undefined ? null : curvesOf(history.data, threshold)),
    [history.data, threshold],
  );
  return (
    <Panel title={`${name}, ${describe(range)}`}>
      <QueryBoundary query={history} what="the history of this metric">
        {(data) =>
          curves === null || data.mean.every((value) => value === null) ? (
            <EmptyState title="No value is stored of this time." />
          ) : (
            <>
              <CurveChart label={name} curves={curves} view={view} onView={setView} height={220} />
              <p className="dim">
                {describeHistory(data)}
                {data.p95_exact ? "" : ` ${ESTIMATED_P95}`}
              </p>
            </>
          )
        }
      </QueryBoundary>
    </Panel>
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
