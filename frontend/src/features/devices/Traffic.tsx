/** A device's traffic over the range: the sum of its ports, and the busiest of them. One request for all ports. */
import { SegmentedControl } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { rowsOf } from "@/api/list-query";
import { useAnnotations } from "@/api/ports/annotations";
import { MOST_TREND_PORTS, portTrendsQuery } from "@/api/ports/trends";
import { portsList } from "@/api/queries";
import { useParam, useZoom } from "@/api/scope";
import type { Node } from "@/api/types";
import classes from "./DevicePage.module.css";
import { busiestCurves, trafficSeries, type Side } from "./traffic";
import type { View } from "@/ui/chart/Chart";
import { CurveChart } from "@/ui/chart/CurveChart";
import type { Mark } from "@/ui/chart/marks";
import { levelText } from "@/ui/chart/shape";
import { TrendChart } from "@/ui/chart/TrendChart";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter } from "@/ui/Filters";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { useClock } from "@/ui/useClock";
import { describe, span as spanOf } from "@/util/time";

const POINTS = 200;
const CLOCK_MS = 2000;
const NO_MARKS: readonly Mark[] = [];
const SIDES = [
  { value: "in", label: "received" },
  { value: "out", label: "sent" },
] as const;

export function Traffic({ site, node }: { site: string; node: Node }) {
  const { range, zoom, back } = useZoom();
  const [view, setView] = useParam<View>("show", "chart");
  const [side, setSide] = useParam<Side>("side", "in");
  const wanted = { node: node.name, sort: "-utilisation", limit: MOST_TREND_PORTS };
  const ports = useInfiniteQuery(portsList(site, wanted));
  const rows = useMemo(() => rowsOf(ports.data), [ports.data]);
  const trends = useQuery(
    portTrendsQuery(
      site,
      rows.map(({ id }) => id),
      range,
      POINTS,
    ),
  );
  const marks = useAnnotations(range, { nodes: [node.id] }) ?? NO_MARKS;
  const span = spanOf(range, useClock(CLOCK_MS) / 1000);
  const names = useMemo(() => new Map(rows.map(({ id, name }) => [id, name])), [rows]);
  const sum = useMemo(() => trends.data && trafficSeries(trends.data, marks), [trends.data, marks]);
  const busiest = useMemo(
    () => trends.data && busiestCurves(trends.data, names, side, marks),
    [trends.data, names, side, marks],
  );
  if (ports.data !== undefined && rows.length === 0) return null;
  const isCut = ports.data?.pages.at(-1)?.next != null;
  return (
    <div className={classes.pair}>
      <Panel
        title={`Traffic of ${isCut ? `the ${MOST_TREND_PORTS} busiest` : "all"} ports, ${describe(range)}`}
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Show the traffic as"
            value={view}
            onChange={(value) => setView(value as View)}
            data={["chart", "table"]}
          />
        }
      >
        <QueryBoundary query={trends} what="the traffic of this device">
          {({ level }) =>
            sum !== undefined && (
              <>
                <TrendChart
                  title="Traffic of all ports"
                  data={sum}
                  span={span}
                  view={view}
                  onBrush={zoom}
                  onBack={back}
                  height={220}
                  hasMarkStrip
                />
                <p className="dim">
                  Means{levelText(level) === "" ? "" : ` of ${levelText(level)}`}, in above and out below
                  zero; a port counts where it reported. Traffic that is forwarded is received and sent.
                </p>
              </>
            )
          }
        </QueryBoundary>
      </Panel>
      <Panel
        title="Busiest ports"
        aside={
          <ChoiceFilter
            label="Direction of the busiest ports"
            value={side}
            choices={SIDES}
            onChange={setSide}
          />
        }
      >
        <QueryBoundary query={trends} what="the traffic of the ports">
          {() =>
            busiest === undefined || busiest.lines.length === 0 ? (
              <EmptyState title="No port has traffic in this range." />
            ) : (
              <CurveChart label="Busiest ports" curves={busiest} view={view} onView={setView} height={220} />
            )
          }
        </QueryBoundary>
      </Panel>
    </div>
  );
}
