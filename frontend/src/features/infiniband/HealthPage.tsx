/** Health of an InfiniBand fabric: cables to service, degraded links, error rates over two windows. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { infinibandHealthQuery } from "@/api/queries";
import type { InfinibandHealth, CableVerdict } from "@/api/types";
import { ErrorRates } from "./ErrorRates";
import classes from "./HealthPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Counters } from "@/ui/lists/Counters";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { count, duration, grouped, NONE } from "@/util/units";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import type { Column } from "@/ui/table/columns";

export function HealthPage() {
  const id = Number(useParams().id);
  const health = useQuery(infinibandHealthQuery(id));
  return (
    <QueryBoundary query={health} what="the health report" page="InfiniBand health">
      {(data) => <Report id={id} health={data} />}
    </QueryBoundary>
  );
}

function Report({ id, health }: { id: number; health: InfinibandHealth }) {
  return (
    <>
      <PageHeader
        title={`${health.fabric} health`}
        headline={health.headline}
        aside={<StateBadge state={health.state} text={health.headline} />}
      >
        <Anchor href={`/fabrics/${id}`}>Fabric and ports</Anchor>
        <Anchor href="/hold-time">Head-of-queue lifetime</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Sweep">
          <Facts facts={factsOf(health)} />
        </Panel>
        <Panel title="Cables to service" flush>
          <Cables cables={health.cables} />
        </Panel>
        <Panel title="Degraded ports" flush>
          <Degraded ports={health.degraded} />
        </Panel>
        <Panel
          title="Error rates"
          aside={
            health.watched_s < health.short_s && (
              <span className="dim">
                Based on {duration(health.watched_s)} of samples; hourly rates are approximate.
              </span>
            )
          }
          flush
        >
          <ErrorRates errors={health.errors} short={health.short_s} long={health.long_s} />
          {health.more_errors > 0 && (
            <p className="dim">{grouped(health.more_errors)} lesser rates are not listed.</p>
          )}
        </Panel>
        {health.differences.length > 0 && (
          <Panel title="Miscabled links" flush>
            <ul>
              {health.differences.map(({ name, reported, url, state }) => (
                <li key={`${name} ${reported}`} className={classes.line}>
                  <StateBadge state={state} quiet /> <Anchor href={url}>{name}</Anchor>{" "}
                  <span className="dim">{reported}</span>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <Panel title="Counters" flush>
          <Counters counters={health.counters} of={health.fabric} />
        </Panel>
      </div>
    </>
  );
}

function factsOf(health: InfinibandHealth): Fact[] {
  return [
    ["subnet manager", health.subnet_manager || NONE],
    ["devices, ports", `${count(health.devices, "device")}, ${count(health.ports, "port")}`],
    ["absent", health.absent.join(", ") || "none"],
    ["not reporting", health.silent.join(", ") || "none"],
    ["sampling period", `${duration(health.watched_s)} of the last ${duration(health.long_s)}`],
  ];
}

type DegradedPort = InfinibandHealth["degraded"][number];

const DEGRADED: readonly Column<DegradedPort>[] = [
  { id: "port", header: "port", value: ({ node, port }) => `${node}:${port}` },
  {
    id: "below",
    header: "degraded",
    value: ({ width, speed }) => [width && "width", speed && "speed"].filter(Boolean).join(" and "),
  },
  { id: "running", header: "running", value: ({ running }) => formatLanes(running) },
];

function Degraded({ ports }: { ports: readonly DegradedPort[] }) {
  return (
    <DataTable
      label="Degraded ports"
      noun="ports"
      rows={ports}
      columns={DEGRADED}
      rowKey={({ node, port }) => `${node}:${port}`}
      rowHref={({ url }) => url}
      empty={<EmptyState title="Every link runs at full width and speed." />}
    />
  );
}

/** Formats `4X 2.5 Gbps` of infiniband-diags, where the rate is that of one lane. */
export function formatLanes(running: string): string {
  const [, lanes, lane] = /^(\d+)X (\d+(?:\.\d+)?) Gbps$/.exec(running) ?? [];
  return lanes === undefined || lane === undefined
    ? running
    : `${count(Number(lanes), "lane")} at ${Number(lane)} Gb/s`;
}

const ACTION_LABELS: Readonly<Record<CableVerdict["action"], string>> = {
  recable: "move to its port",
  swap: "replace",
  watch: "watch",
};
const ORDER: Readonly<Record<CableVerdict["action"], number>> = { recable: 0, swap: 1, watch: 2 };

const CABLES: readonly Column<CableVerdict>[] = [
  { id: "name", header: "cable", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "action",
    header: "action",
    value: ({ action }) => ORDER[action],
    cell: ({ action, state }) => (
      <>
        <StateBadge state={state} quiet /> {ACTION_LABELS[action]}
      </>
    ),
  },
  {
    id: "reasons",
    header: "reasons",
    value: ({ reasons }) => reasons.join("; "),
    cell: ({ reasons }) =>
      reasons.map((reason) => (
        <span key={reason} className={classes.reason}>
          {reason}
        </span>
      )),
  },
];

function Cables({ cables }: { cables: readonly CableVerdict[] }) {
  return (
    <DataTable
      label="Cables to service"
      noun="cables"
      rows={cables}
      columns={CABLES}
      rowKey={({ name }) => name}
      rowHref={({ url }) => url}
      empty={<EmptyState title="No cable needs service." />}
    />
  );
}
