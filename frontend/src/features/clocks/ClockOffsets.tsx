/** The last measured offsets of one node's clock, by source, for pages about a wrong clock. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { clocksList, type Clock } from "@/api/clocks";
import { rowsOf } from "@/api/list-query";
import { useAnnotations } from "@/api/ports/annotations";
import { formatOffset, sourceLabel } from "./labels";
import { CurveChart, type CurveView } from "@/ui/chart/CurveChart";
import type { Curves } from "@/ui/chart/curves";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { clock as formatTime, type Range } from "@/util/time";
import { NONE } from "@/util/units";

export function ClockOffsets({ site, node }: { site: string; node: string }) {
  const clocks = useInfiniteQuery(clocksList(site, { node }));
  return (
    <QueryBoundary query={clocks} what="the offsets of this clock">
      {(pages) => {
        const rows = rowsOf(pages);
        return rows.length === 0 ? (
          <EmptyState title={`No source reports the clock of ${node}.`} />
        ) : (
          rows.map((clock) => <Source key={clock.source} clock={clock} />)
        );
      }}
    </QueryBoundary>
  );
}

function Source({ clock }: { clock: Clock }) {
  const [view, setView] = useState<CurveView>("chart");
  const marks = useAnnotations(rangeOf(clock), { nodes: [clock.node_id] });
  const curves = useMemo(() => ({ ...offsetCurve(clock), marks: marks ?? [] }), [clock, marks]);
  const title = `Clock of ${clock.node} by ${sourceLabel(clock)}, last offsets`;
  return (
    <Panel title={title}>
      <CurveChart label={title} curves={curves} view={view} onView={setView} height={220} />
    </Panel>
  );
}

/** From the first offset to the last one. */
function rangeOf({ recent }: Clock): Range {
  return { from: recent[0]?.at ?? "now-1h", to: recent.at(-1)?.at ?? "now" };
}

/** Offsets of one source over time: seconds since the epoch, and seconds. */
export function offsetCurve(clock: Clock): Curves {
  const { recent } = clock;
  return {
    across: "time",
    x: recent.map(({ at }) => Date.parse(at) / 1000),
    labels: recent.map(({ at }) => formatTime(at)),
    lines: [{ label: "offset", rates: recent.map(({ offset_s }) => offset_s) }],
    measure: {
      name: "offset",
      format: (value) => (typeof value === "number" ? formatOffset(value) : NONE),
      unit: "s",
      level: "limit",
    },
    capacity: null,
    scaling: null,
    isLogarithmic: false,
  };
}
