/** What one failure, or several at once, would do: verdict, moved nodes and the load of each link. */
import type { FailureDetail, GatewayPackets, LaneLoad } from "@/api/models/capacity";
import classes from "./Capacity.module.css";
import { growthText, namesText, outcomeText } from "./capacity";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { DataTable } from "@/ui/table/DataTable";
import { count, duration, grouped, percent, rate } from "@/util/units";

export function FailureView({ failure }: { failure: FailureDetail }) {
  return (
    <>
      <Panel title="Result">
        <Verdict failure={failure} />
        <Facts facts={factsOf(failure)} />
        {failure.loops.map((loop) => (
          <p key={loop} className={classes.note}>
            {loop}
          </p>
        ))}
      </Panel>
      {failure.gateways.length > 0 && <Gateways failure={failure} />}
      <Panel title="Moves" flush aside={<Total shown={failure.moves.length} total={failure.moves_total} />}>
        <DataTable
          label="Moves"
          noun="moves"
          rows={failure.moves}
          columns={MOVES}
          rowKey={(move) => `${move.policy} ${move.from_gateway?.id} ${move.to_gateway?.id} ${move.outcome}`}
          empty={<EmptyState title="No node moves to another gateway." />}
          isPlain
        />
      </Panel>
      <Panel
        title="Links whose load changes"
        flush
        aside={<Total shown={failure.links.length} total={failure.links_total} />}
      >
        <DataTable
          label="Links whose load changes"
          noun="links"
          rows={failure.links}
          columns={LANES}
          rowKey={({ link, direction }) => `${link} ${direction}`}
          empty={<EmptyState title="The load of no link changes." />}
          isPlain
        />
      </Panel>
    </>
  );
}

/** Packet rates of gateways that gain traffic, where the limit is known. */
function Gateways({ failure: { gateways, gateways_total } }: { failure: FailureDetail }) {
  return (
    <Panel
      title="Packet rates of gateways"
      flush
      aside={<Total shown={gateways.length} total={gateways_total} />}
    >
      <DataTable
        label="Packet rates of gateways"
        noun="gateways"
        rows={gateways}
        columns={GATEWAYS}
        rowKey={({ node }) => node}
        empty={<EmptyState title="No gateway with a known limit gains traffic." />}
        isPlain
      />
    </Panel>
  );
}

/** The verdict in one sentence, and how far it is from changing. */
export function Verdict({ failure }: { failure: FailureDetail }) {
  const growth = growthText(failure);
  return (
    <p className={classes.verdict} data-testid="verdict" data-verdict={failure.verdict}>
      <StateBadge state={failure.state} quiet />
      <b>{failure.sentence}</b>
      {growth !== "" && <span className="dim">{growth}</span>}
    </p>
  );
}

function Total({ shown, total }: { shown: number; total: number }) {
  return shown < total ? (
    <span className="dim">
      the first {shown} of {total}
    </span>
  ) : null;
}

function factsOf(failure: FailureDetail): Fact[] {
  const stopped = failure.stopped.map(
    ({ hosts, hosts_total, bps }) => `${namesText(hosts, hosts_total)}: ${rate(bps)}`,
  );
  const { cut_off, cut_off_nodes, cut_off_bps, redundancy_lost, redundancy_lost_nodes } = failure;
  return [
    [
      "isolated",
      cut_off_nodes === 0
        ? "none"
        : `${namesText(cut_off, cut_off_nodes)}; ${rate(cut_off_bps)} of all traffic is lost`,
    ],
    ["traffic that stops", stopped.length === 0 ? "none" : `with ${stopped.join("; ")}`],
    [
      "without a further fallback",
      redundancy_lost_nodes === 0 ? "none" : namesText(redundancy_lost, redundancy_lost_nodes),
    ],
    ["longest outage", failure.recovers_in_s === null ? "no path moves" : duration(failure.recovers_in_s)],
    ["traffic that may move too", failure.unattributed_bps === 0 ? "none" : rate(failure.unattributed_bps)],
  ];
}

type Move = FailureDetail["moves"][number];

const MOVES: readonly Column<Move>[] = [
  {
    id: "policy",
    header: "policy",
    value: ({ policy }) => policy,
    cell: ({ policy, prefix }) => (
      <>
        {policy} <span className="num dim">{prefix}</span>
      </>
    ),
  },
  {
    id: "nodes",
    header: "nodes",
    value: ({ nodes }) => nodes,
    cell: ({ nodes, names }) => <span title={namesText(names, nodes)}>{count(nodes, "node")}</span>,
  },
  { id: "from", header: "from", value: ({ from_gateway }) => from_gateway?.name ?? "" },
  {
    id: "to",
    header: "to",
    value: ({ to_gateway }) => to_gateway?.name ?? "",
    cell: ({ to_gateway, outcome }) =>
      outcome === "moved" ? (to_gateway?.name ?? "") : <b>{outcomeText(outcome)}</b>,
  },
  {
    id: "out",
    header: "out",
    csvHeader: "out (bit/s)",
    align: "right",
    value: ({ out_bps }) => out_bps,
    cell: (move) => <MovedRate bps={move.out_bps} move={move} />,
  },
  {
    id: "in",
    header: "in",
    csvHeader: "in (bit/s)",
    align: "right",
    value: ({ in_bps }) => in_bps,
    cell: (move) => <MovedRate bps={move.in_bps} move={move} />,
  },
];

/** Traffic of the nodes whose traffic is known. */
function MovedRate({ bps, move: { unknown_nodes, nodes } }: { bps: number; move: Move }) {
  if (unknown_nodes === 0) return <span className="num">{rate(bps)}</span>;
  const text = unknown_nodes >= nodes ? "unknown" : `at least ${rate(bps)}`;
  return (
    <span className="num" title={`The traffic of ${count(unknown_nodes, "node")} is unknown`}>
      {text}
    </span>
  );
}

const LANES: readonly Column<LaneLoad>[] = [
  {
    id: "link",
    header: "link",
    value: ({ name }) => name,
    cell: ({ name, link }) => <Anchor href={`/links/${link}`}>{name}</Anchor>,
  },
  { id: "direction", header: "direction", value: ({ start, end }) => `${start} → ${end}`, wide: true },
  {
    id: "before",
    header: "before",
    csvHeader: "before (bit/s)",
    align: "right",
    value: ({ before_bps }) => before_bps,
    cell: (lane) => (
      <RateCell bps={lane.before_bps} utilisation={shareOf(lane.before_bps, lane)} fresh={lane.is_measured} />
    ),
  },
  {
    id: "after",
    header: "after",
    csvHeader: "after (bit/s)",
    align: "right",
    value: ({ after_bps }) => after_bps,
    cell: (lane) => <RateCell bps={lane.after_bps} utilisation={lane.utilisation} fresh={lane.is_measured} />,
  },
  {
    id: "usable",
    header: "usable rate",
    csvHeader: "usable rate (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => (usable_rate === null ? "unknown" : rate(usable_rate)),
    wide: true,
  },
  {
    id: "utilisation",
    header: "utilisation",
    csvHeader: "utilisation (0..1)",
    align: "right",
    value: ({ utilisation }) => utilisation,
    cell: ({ utilisation }) => (
      <span className={(utilisation ?? 0) > 1 ? classes.full : undefined}>{percent(utilisation)}</span>
    ),
  },
];

const packets = (
  id: string,
  header: string,
  of: (row: GatewayPackets) => number,
  isKnown: (row: GatewayPackets) => boolean = ({ is_known }) => is_known,
): Column<GatewayPackets> => ({
  id,
  header,
  csvHeader: `${header} (packets/s)`,
  align: "right",
  value: (row) => (isKnown(row) ? of(row) : null),
  cell: (row) => <span className="num">{isKnown(row) ? `${grouped(of(row))} packets/s` : "unknown"}</span>,
});

const GATEWAYS: readonly Column<GatewayPackets>[] = [
  {
    id: "gateway",
    header: "gateway",
    value: ({ name }) => name,
    cell: ({ name, node }) => <Anchor href={`/nodes/${node}`}>{name}</Anchor>,
  },
  packets("before", "before", ({ before_pps }) => before_pps),
  packets("after", "after", ({ after_pps }) => after_pps),
  packets(
    "limit",
    "limit",
    ({ limit_pps }) => limit_pps,
    () => true,
  ),
  {
    id: "share",
    header: "share of the limit",
    csvHeader: "share of the limit (0..1)",
    align: "right",
    value: ({ share }) => share,
    cell: ({ share, is_known }) => (
      <span className={share > 1 ? classes.full : undefined}>
        {is_known ? percent(share) : `at least ${percent(share)}`}
      </span>
    ),
  },
];

const shareOf = (bps: number, { usable_rate }: LaneLoad): number | null =>
  usable_rate === null ? null : bps / usable_rate;
