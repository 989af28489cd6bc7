/** Traffic of a fabric over the time range: what its ports sent and received together. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fabricHistoryQuery } from "@/api/queries";
import { useParam } from "@/api/scope";
import type { FabricDetail } from "@/api/types";
import { useZoom } from "@/api/useZoom";
import { sourceText, toSeries } from "./history";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Chart, type View } from "@/ui/chart/Chart";
import type { Axis } from "@/ui/chart/shape";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { useClock } from "@/ui/useClock";
import { describe, span as spanOf } from "@/util/time";

const CLOCK_MS = 2000;

export function FabricChart({ fabric }: { fabric: FabricDetail }) {
  const { range, zoom, back } = useZoom();
  const [axis, setAxis] = useParam<Axis>("y", "auto");
  const [view, setView] = useParam<View>("show", "chart");
  const history = useQuery(fabricHistoryQuery(fabric.id, range));
  const now = useClock(CLOCK_MS) / 1000;
  const span = spanOf(range, now);
  const data = useMemo(
    () => (history.data === undefined ? null : toSeries(history.data, fabric)),
    [history.data, fabric],
  );
  return (
    <Panel
      title={`Traffic, ${describe(range)}`}
      aside={history.data === undefined ? null : <span className="dim">{sourceText(history.data)}</span>}
    >
      <QueryBoundary query={history} what="the history of this fabric">
        {() =>
          span === null || data === null ? (
            <EmptyState title="Invalid time range.">
              Select another range in the top bar; its start must be before its end.
            </EmptyState>
          ) : (
            <Chart
              data={data}
              span={span}
              axis={axis}
              onAxis={setAxis}
              view={view}
              onView={setView}
              onBrush={zoom}
              onBack={back}
            />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
