/** Failovers of gateways compared with the loads that the study had predicted. */
import { useQuery } from "@tanstack/react-query";
import { trackRecordQuery, type PredictionCheck } from "@/api/models/capacity";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import type { Column } from "@/ui/table/columns";
import { DataTable } from "@/ui/table/DataTable";
import { percent, rate } from "@/util/units";

const RESULTS: Record<PredictionCheck["state"], string> = {
  pending: "awaiting loads",
  measured: "measured",
  not_measured: "not measured",
};

const COLUMNS: readonly Column<PredictionCheck>[] = [
  {
    id: "started_at",
    header: "began",
    value: ({ started_at }) => started_at,
    cell: ({ started_at }) => <AgeStamp at={started_at} suffix="ago" />,
  },
  { id: "gateway", header: "gateway", value: ({ gateway }) => gateway },
  {
    id: "cause",
    header: "cause",
    value: ({ cause }) => cause,
    cell: ({ drill }) => (drill === null ? "failover" : `drill #${drill}`),
    wide: true,
  },
  {
    id: "state",
    header: "result",
    value: ({ state, reason }) => (reason === "" ? RESULTS[state] : `${RESULTS[state]}: ${reason}`),
  },
  {
    id: "worst",
    header: "worst link",
    value: ({ worst }) => worst?.name ?? "",
    cell: ({ worst }) =>
      worst && (
        <span title={`${worst.start} → ${worst.end}`}>
          <Anchor href={`/links/${worst.link}`}>{worst.name}</Anchor>
        </span>
      ),
    wide: true,
  },
  {
    id: "predicted",
    header: "predicted",
    csvHeader: "predicted (bit/s)",
    align: "right",
    value: ({ worst }) => worst && carriedOf(worst),
    cell: ({ worst }) => worst && <Predicted lane={worst} />,
    wide: true,
  },
  {
    id: "measured",
    header: "measured",
    csvHeader: "measured (bit/s)",
    align: "right",
    value: ({ worst }) => worst?.measured_bps ?? null,
    cell: ({ worst }) => worst && <span className="num">{rate(worst.measured_bps)}</span>,
    wide: true,
  },
  {
    id: "median_error",
    header: "median error",
    csvHeader: "median error (0..1 of the usable rate)",
    align: "right",
    value: ({ median_error }) => median_error,
    cell: ({ median_error }) => median_error !== null && percent(median_error),
  },
  {
    id: "worst_error",
    header: "worst error",
    csvHeader: "worst error (0..1 of the usable rate)",
    align: "right",
    value: ({ worst_error }) => worst_error,
    cell: ({ worst_error }) => worst_error !== null && <b>{percent(worst_error)}</b>,
  },
];

type Lane = NonNullable<PredictionCheck["worst"]>;

/** What the link was to carry: a full one carries its usable rate, and its senders slow down. */
const carriedOf = ({ carried_bps, after_bps }: Lane): number => carried_bps ?? after_bps;

function Predicted({ lane }: { lane: Lane }) {
  const carried = carriedOf(lane);
  const title = carried < lane.after_bps ? `needed for ${rate(lane.after_bps)}: the path is full` : undefined;
  return (
    <span className="num" title={title}>
      {rate(carried)}
    </span>
  );
}

export function TrackRecordPanel({ site }: { site: string }) {
  const record = useQuery(trackRecordQuery(site));
  return (
    <Panel title="Track record" flush aside={<span className="dim">{record.data?.status.headline}</span>}>
      <QueryBoundary query={record} what="the track record">
        {({ items }) => (
          <DataTable
            label="Track record"
            noun="failovers"
            rows={items}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No failover of a gateway has been recorded.">
                The loads of each drill and each failover are compared with the prediction of the last study
                before it.
              </EmptyState>
            }
            isPlain
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
