/** Whether the fallbacks hold: the newest study of every single failure, the worst first. */
import { useQuery } from "@tanstack/react-query";
import {
  capacityFailuresList,
  capacityStatusQuery,
  type CapacityStatus,
  type FailureListed,
} from "@/api/models/capacity";
import { useListPage } from "@/api/useListPage";
import { AdvicePanel } from "./AdvicePanel";
import classes from "./Capacity.module.css";
import { unexplainedText } from "./capacity";
import { TrackRecordPanel } from "./TrackRecordPanel";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { ListTable } from "@/ui/table/ListTable";
import { count, grouped, percent, rate } from "@/util/units";

const VERDICTS: Record<FailureListed["verdict"], string> = {
  holds: "holds",
  would_not_hold: "would not hold",
  unknown: "unknown",
};

/** A failure from which nothing could move is no fallback that fails. */
function fallbackText({ verdict, has_fallback }: FailureListed): string {
  return verdict === "would_not_hold" && !has_fallback ? "none" : VERDICTS[verdict];
}

const COLUMNS: readonly Column<FailureListed>[] = [
  { id: "name", sortable: true, header: "if this fails", value: ({ name }) => name },
  { id: "kind", sortable: true, header: "kind", value: ({ kind }) => kind, wide: true },
  {
    id: "verdict",
    sortable: true,
    header: "fallback",
    value: fallbackText,
    cell: (failure) => (
      <span className={classes.inline} title={failure.reason}>
        <StateBadge state={failure.state} text={failure.reason} quiet />
        {fallbackText(failure)}
      </span>
    ),
  },
  {
    id: "worst_utilisation",
    sortable: true,
    header: "fullest link",
    csvHeader: "utilisation of the fullest link (0..1)",
    align: "right",
    value: ({ worst_utilisation }) => worst_utilisation,
    cell: ({ worst }) =>
      worst === null ? null : (
        <span title={`${worst.start} → ${worst.end}`}>
          <span className="dim">{worst.name}</span> <b className="num">{percent(worst.utilisation)}</b>
        </span>
      ),
    wide: true,
  },
  {
    id: "worst_packet_share",
    sortable: true,
    header: "packets",
    csvHeader: "packet rate of the gateway nearest to its limit (0..1)",
    align: "right",
    value: ({ worst_packet_share }) => worst_packet_share,
    cell: ({ worst_gateway: gateway }) =>
      gateway === null ? null : (
        <span
          title={`${grouped(gateway.after_pps)} of ${grouped(gateway.limit_pps)} packets/s`}
          className={classes.inline}
        >
          <span className="dim">{gateway.name}</span>
          <b className="num">
            {gateway.is_known ? "" : "≥ "}
            {percent(gateway.share)}
          </b>
        </span>
      ),
    wide: true,
  },
  {
    id: "moved_bps",
    sortable: true,
    header: "moves",
    csvHeader: "moves (bit/s)",
    align: "right",
    value: ({ moved_bps }) => moved_bps,
    cell: ({ moved_nodes, moved_bps }) =>
      moved_nodes === 0 ? null : (
        <span className="num" title={count(moved_nodes, "node")}>
          {rate(moved_bps)}
        </span>
      ),
    wide: true,
  },
  {
    id: "cut_off_nodes",
    sortable: true,
    header: "isolated",
    align: "right",
    value: ({ cut_off_nodes }) => cut_off_nodes,
    cell: ({ cut_off_nodes, cut_off_bps }) =>
      cut_off_nodes === 0 ? null : <span title={rate(cut_off_bps)}>{count(cut_off_nodes, "node")}</span>,
  },
  {
    id: "growth_percent",
    sortable: true,
    header: "full at",
    csvHeader: "growth at which it is full (%)",
    align: "right",
    value: ({ growth_percent }) => growth_percent,
    cell: ({ growth_percent: growth }) =>
      growth === null ? null : (
        <span className="num">
          {growth < 0 ? "−" : "+"}
          {Math.floor(Math.abs(growth))} %
        </span>
      ),
    wide: true,
  },
];

export function CapacityPage() {
  const list = useListPage(capacityFailuresList, {
    columns: COLUMNS,
    filters: { verdict: "", kind: "", fallback: "", shared: "" },
  });
  const status = useQuery({ ...capacityStatusQuery(list.site ?? ""), enabled: list.site !== undefined });
  return (
    <>
      <PageHeader title="Will it hold?" headline={status.data && <Headline status={status.data} />}>
        <ButtonLink href="/capacity/what-if">What if…</ButtonLink>
        <ButtonLink href="/capacity/forecast">Forecast</ButtonLink>
      </PageHeader>
      <ListTable
        list={list}
        label="Single failures"
        noun="failures"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        search="Search by name"
        filters={[
          {
            name: "verdict",
            label: "Verdict",
            choices: [
              { value: "", label: "all verdicts" },
              ...Object.entries(VERDICTS).map(([value, label]) => ({ value, label })),
            ],
          },
          {
            name: "fallback",
            label: "Traffic",
            choices: [
              { value: "", label: "all failures" },
              { value: "true", label: "traffic moves" },
              { value: "false", label: "no traffic moves" },
            ],
          },
          {
            name: "kind",
            label: "Kind",
            choices: [
              { value: "", label: "all kinds" },
              { value: "node", label: "nodes" },
              { value: "link", label: "links" },
              { value: "fabric", label: "fabrics" },
              { value: "chassis", label: "shared chassis" },
              { value: "power", label: "shared power" },
              { value: "fibre", label: "shared fibres" },
              { value: "card", label: "cards" },
            ],
          },
          {
            name: "shared",
            label: "Objects",
            choices: [
              { value: "", label: "all objects" },
              { value: "false", label: "single objects" },
              { value: "true", label: "shared risks" },
            ],
          },
        ]}
        none={
          <EmptyState title="No failure has been studied yet.">
            A site is studied once a minute, as soon as its agents report loads.
          </EmptyState>
        }
      />
      {status.data && <Notes status={status.data} />}
      {list.site !== undefined && <AdvicePanel site={list.site} />}
      {list.site !== undefined && <TrackRecordPanel site={list.site} />}
    </>
  );
}

function Headline({ status }: { status: CapacityStatus }) {
  return (
    <>
      {status.headline}.
      {status.checked_at !== null && (
        <span className="dim">
          {" "}
          Checked <AgeStamp at={status.checked_at} suffix="ago" />
          {status.is_stale ? ", too old to rely on" : ""}
          {status.error === "" ? "" : `. The newest attempt failed: ${status.error}`}
        </span>
      )}
    </>
  );
}

/** What the study does not know or does not list. */
function Notes({ status }: { status: CapacityStatus }) {
  const texts = [
    status.unknown_nodes > 0
      ? `The traffic of ${count(status.unknown_nodes, "node")} is unknown or too old.`
      : "",
    unexplainedText(status),
    status.single_attached > 0
      ? `${count(status.single_attached, "host")} with a single link ${status.single_attached === 1 ? "is" : "are"} not listed: the failure of such a link isolates only its host.`
      : "",
  ].filter((text) => text !== "");
  return texts.length === 0 ? null : (
    <ul className={classes.notes} data-testid="notes">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
