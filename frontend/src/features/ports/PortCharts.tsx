/** The charts of a port over the time range: one crosshair, one brush, one table switch for all. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAnnotations } from "@/api/ports/annotations";
import { portHistoryQuery, type PortHistory } from "@/api/ports/ports";
import { useComparison, useParam, useZoom } from "@/api/scope";
import type { Port } from "@/api/types";
import classes from "./PortPage.module.css";
import { OtherPortNote, OtherPortPicker, useOtherPort, type OtherPort } from "./PortComparison";
import { counterCharts, histogram, rateSeries } from "./series";
import { Chart, type View } from "@/ui/chart/Chart";
import { ComparePicker } from "@/ui/chart/ComparePicker";
import { withEarlier, withOther } from "@/ui/chart/comparisonSeries";
import type { Mark } from "@/ui/chart/marks";
import { ESTIMATED_P95, levelText, type Axis, type BidirectionalSeries } from "@/ui/chart/shape";
import { TrendChart } from "@/ui/chart/TrendChart";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { useClock } from "@/ui/useClock";
import { describe, span as spanOf } from "@/util/time";
import { percent } from "@/util/units";

const CLOCK_MS = 2000;
const NO_MARKS: readonly Mark[] = [];

export function PortCharts({ port }: { port: Port }) {
  const zoom = useZoom();
  const history = useQuery(portHistoryQuery(port.id, zoom.range));
  const comparison = useComparison(zoom.range);
  const other = useOtherPort(port, zoom.range);
  const isEarlier = comparison.days > 0 && other.name === "";
  const earlier = useQuery({ ...portHistoryQuery(port.id, comparison.earlier), enabled: isEarlier });
  const marks = useAnnotations(zoom.range, {
    nodes: [port.node_id],
    links: port.link_id === null ? [] : [port.link_id],
  });
  return (
    <QueryBoundary query={history} what="the history of this port">
      {(data) => (
        <Charts
          history={data}
          marks={marks ?? NO_MARKS}
          zoom={zoom}
          comparison={comparison}
          earlier={isEarlier ? earlier.data : undefined}
          other={other}
        />
      )}
    </QueryBoundary>
  );
}

interface Props {
  history: PortHistory;
  marks: readonly Mark[];
  zoom: ReturnType<typeof useZoom>;
  comparison: ReturnType<typeof useComparison>;
  /** The same length of time, days before; undefined: not compared, or not loaded yet. */
  earlier: PortHistory | undefined;
  other: OtherPort;
}

function Charts({ history, marks, zoom: { range, zoom, back }, comparison, earlier, other }: Props) {
  const { days, setDays } = comparison;
  const [axis, setAxis] = useParam<Axis>("y", "capacity");
  const [view, setView] = useParam<View>("show", "chart");
  const now = useClock(CLOCK_MS) / 1000;
  const compared = useMemo(() => {
    if (other.history !== undefined) {
      const { history: of, name } = other;
      return { history: of, over: (a: BidirectionalSeries, b: BidirectionalSeries) => withOther(a, b, name) };
    }
    if (earlier === undefined) return null;
    return {
      history: earlier,
      over: (a: BidirectionalSeries, b: BidirectionalSeries) => withEarlier(a, b, days),
    };
  }, [other, earlier, days]);
  const rates = useMemo(() => {
    const present = rateSeries(history, marks);
    return compared === null ? present : compared.over(present, rateSeries(compared.history, NO_MARKS));
  }, [history, marks, compared]);
  const charts = useMemo(() => {
    const present = counterCharts(history, marks);
    if (compared === null) return present;
    const others = counterCharts(compared.history, NO_MARKS);
    return present.map((chart, index) => {
      const against = others[index]?.series;
      return against === undefined ? chart : { ...chart, series: compared.over(chart.series, against) };
    });
  }, [history, marks, compared]);
  const bounds = spanOf(range, now);
  const [start, end] = [bounds?.start, bounds?.end];
  const span = useMemo(
    () => (start === undefined || end === undefined ? null : { start, end }),
    [start, end],
  );
  return (
    <>
      <Panel
        title={`Rates, ${describe(range)}`}
        aside={<span className="dim">{levelText(history.level)}</span>}
      >
        <Chart
          data={rates}
          span={span}
          axis={axis}
          onAxis={setAxis}
          view={view}
          onView={setView}
          onBrush={zoom}
          onBack={back}
          controls={
            <>
              <OtherPortPicker other={other} />
              {other.name === "" && <ComparePicker days={days} onChange={setDays} />}
            </>
          }
          height={240}
        />
        <OtherPortNote other={other} />
        {!history.p95_exact && <p className="dim">{ESTIMATED_P95}</p>}
        {history.gaps.map(({ text }) => (
          <p key={text} className="dim">
            {text}
          </p>
        ))}
      </Panel>
      <div className={classes.charts}>
        {charts.map(({ id, title, series }) => (
          <Panel key={id} title={title}>
            <TrendChart
              title={title}
              data={series}
              span={span}
              view={view}
              onBrush={zoom}
              onBack={back}
              height={130}
            />
          </Panel>
        ))}
      </div>
      <Panel title="Share of the time by utilisation">
        <Histogram history={history} />
      </Panel>
    </>
  );
}

/** How often the port was how full: bars of both directions per tenth of the usable rate. */
function Histogram({ history }: { history: PortHistory }) {
  const bars = histogram(history);
  if (bars.length === 0) return <EmptyState title="No utilisation known in this range." />;
  return (
    <table className={classes.histogram} aria-label="Share of the time by utilisation">
      <thead>
        <tr>
          <th scope="col">utilisation</th>
          <th scope="col">in</th>
          <th scope="col">out</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row" className="num">
              {bar.label}
            </th>
            <Share side="in" value={bar.in} />
            <Share side="out" value={bar.out} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Share({ side, value }: { side: "in" | "out"; value: number | null }) {
  return (
    <td>
      <span className={classes.bar} data-side={side} style={{ width: `${(value ?? 0) * 70}%` }} />
      <span className="num"> {percent(value)}</span>
    </td>
  );
}
