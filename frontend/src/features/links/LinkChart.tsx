/** Load of the link over the time range; brushing narrows the global time range, a double click or Escape restores it. */
import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { useAnnotations } from "@/api/ports/annotations";
import { historyQuery } from "@/api/queries";
import { useComparison, useParam, useZoom } from "@/api/scope";
import type { Link, LinkHistory } from "@/api/types";
import { notesOf, sourceText, toSeries } from "./history";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Chart, type View } from "@/ui/chart/Chart";
import { ComparePicker } from "@/ui/chart/ComparePicker";
import { withEarlier } from "@/ui/chart/comparisonSeries";
import type { Axis } from "@/ui/chart/shape";
import { Panel } from "@/ui/Panel";
import { useClock } from "@/ui/useClock";
import { describe, span as spanOf, type Range } from "@/util/time";

const CLOCK_MS = 2000;

export function LinkChart({ link }: { link: Link }) {
  const { range, zoom, back } = useZoom();
  const [baseline, setBaseline] = useParam<"on" | "off">("baseline", "off");
  const history = useQuery(historyQuery(link.id, range, { baseline: baseline === "on" }));
  const { days, setDays, earlier: before } = useComparison(range);
  const earlier = useQuery({ ...historyQuery(link.id, before), enabled: days > 0 });
  return (
    <Panel
      title={`Rates, ${describe(range)}`}
      aside={history.data === undefined ? null : <span className="dim">{sourceText(history.data)}</span>}
    >
      <QueryBoundary query={history} what="the history of this link">
        {(data) => (
          <History
            history={data}
            link={link}
            range={range}
            compared={days > 0 && earlier.data !== undefined ? { days, history: earlier.data } : null}
            onBrush={zoom}
            onBack={back}
            controls={
              <>
                <ComparePicker days={days} onChange={setDays} />
                <Checkbox
                  size="xs"
                  label="baseline"
                  checked={baseline === "on"}
                  onChange={({ currentTarget }) => setBaseline(currentTarget.checked ? "on" : "off")}
                />
              </>
            }
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

interface Props {
  history: LinkHistory;
  link: Link;
  range: Range;
  /** The same length of time, days before. */
  compared?: { readonly days: number; readonly history: LinkHistory } | null;
  onBrush: (start: number, end: number) => void;
  onBack: () => void;
  controls: ReactNode;
}

export function History({ history, link, range, compared = null, onBrush, onBack, controls }: Props) {
  const [axis, setAxis] = useParam<Axis>("y", "capacity");
  const [view, setView] = useParam<View>("show", "chart");
  const now = useClock(CLOCK_MS) / 1000;
  const { source, target } = link;
  const marks = useAnnotations(range, {
    links: [link.id],
    nodes: [source, target].flatMap(({ node_id }) => node_id ?? []),
  });
  const data = useMemo(() => {
    const present = { ...toSeries(history, { source, target }), marks: marks ?? [] };
    if (compared === null) return present;
    return withEarlier(present, toSeries(compared.history, { source, target }), compared.days);
  }, [history, source, target, marks, compared]);
  const bounds = spanOf(range, now);
  const [start, end] = [bounds?.start, bounds?.end];
  const span = useMemo(
    () => (start === undefined || end === undefined ? null : { start, end }),
    [start, end],
  );
  return (
    <>
      <Chart
        data={data}
        span={span}
        axis={axis}
        onAxis={setAxis}
        view={view}
        onView={setView}
        onBrush={onBrush}
        onBack={onBack}
        controls={controls}
      />
      {notesOf(history).map((note) => (
        <p key={note} className="dim">
          {note}
        </p>
      ))}
    </>
  );
}
