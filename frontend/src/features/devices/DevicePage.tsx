/** One node: facts, ports with their load, device metrics, saved state, incidents and events. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { eventsList, incidentsQuery, nodeQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import type { Node } from "@/api/types";
import classes from "./DevicePage.module.css";
import { Management } from "./Management";
import { HoldNode } from "./HoldNode";
import { Metrics } from "./Metrics";
import { Ports } from "./Ports";
import { SavedState } from "./SavedState";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { EventList } from "@/ui/lists/EventList";
import { Facts, type Fact } from "@/ui/Facts";
import { IncidentList } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import { useClock } from "@/ui/useClock";
import { duration, NONE, offset } from "@/util/units";

const MAX_EVENTS = 20;
const RENEW_MS = 5000;

export function DevicePage() {
  const id = Number(useParams().id);
  const node = useQuery({ ...nodeQuery(id), refetchInterval: RENEW_MS });
  return (
    <QueryBoundary query={node} what="this device" page="Device">
      {(data) => <Device node={data} />}
    </QueryBoundary>
  );
}

function Device({ node }: { node: Node }) {
  const site = useSite()?.name;
  return (
    <>
      <PageHeader
        title={node.name}
        headline={`${node.title === "" ? node.kind : node.title}: ${node.state_text}.`}
        aside={<StateBadge state={node.state} text={node.state_text} />}
      >
        <Anchor href={`/map?sel=node:${node.id}`}>Show on the map</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Management node={node} />
        <Panel title="About">
          <Facts facts={factsOf(node)} />
        </Panel>
        {node.engine !== null && <HoldNode key={node.id} node={node} />}
        {site !== undefined && (
          <>
            <Ports node={node.name} />
            <Metrics node={node.id} name={node.name} />
            <SavedState site={site} node={node.name} />
            <div className={classes.pair}>
              <Incidents site={site} node={node.name} />
              <Events site={site} node={node.name} />
            </div>
          </>
        )}
      </div>
    </>
  );
}

function Clock({ node: { name, clock_text, clock_offset_s } }: { node: Node }) {
  if (clock_text === "") return offset(clock_offset_s);
  return (
    <Anchor href={`/clocks?q=${encodeURIComponent(name)}`}>
      <StateLabel
        state="warning"
        label={clock_text}
        title="The clock of this node is wrong; its data is timed by the server's clock."
      />
    </Anchor>
  );
}

function factsOf(node: Node): Fact[] {
  const numbers = [node.node_number, node.switch_node_number];
  return [
    ["kind, role", [...new Set([node.kind, node.role])].filter(Boolean).join(", ")],
    [
      "collected by",
      node.agent === null ? (
        "no agent"
      ) : (
        <Anchor key="agent" href="/settings/agents">
          {node.agent}
        </Anchor>
      ),
    ],
    ["uptime", duration(node.uptime_s)],
    ["clock offset", <Clock key="clock" node={node} />],
    ["management address", node.management_address ?? NONE],
    ...(numbers.some((number) => number !== null)
      ? ([["node, switch node no.", numbers.map((number) => number ?? NONE).join(", ")]] satisfies Fact[])
      : []),
    ["system name", node.sys_name || NONE],
    [
      "system description",
      <span key="description" title={node.sys_descr}>
        {node.sys_descr || NONE}
      </span>,
    ],
    ...Object.entries(node.labels).map(([label, value]): Fact => [label, value]),
  ];
}

function Incidents({ site, node }: { site: string; node: string }) {
  const incidents = useQuery(incidentsQuery(site, { node }));
  return (
    <Panel title="Incidents" flush>
      <QueryBoundary query={incidents} what="the incidents">
        {(data) =>
          data.length === 0 ? (
            <EmptyState title="No incidents." />
          ) : (
            <IncidentList incidents={data} label={`Incidents of ${node}`} />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

function Events({ site, node }: { site: string; node: string }) {
  const now = useClock(30_000) / 1000;
  const events = useInfiniteQuery(eventsList(site, { node, limit: MAX_EVENTS }));
  return (
    <Panel
      title="Events"
      aside={<Anchor href={`/events?node=${encodeURIComponent(node)}`}>All events</Anchor>}
      flush
    >
      <QueryBoundary query={events} what="the events">
        {({ pages }) => {
          const items = pages[0]?.items ?? [];
          return items.length === 0 ? (
            <EmptyState title="No events." />
          ) : (
            <EventList events={items.slice(0, MAX_EVENTS)} now={now} label={`Events of ${node}`} />
          );
        }}
      </QueryBoundary>
    </Panel>
  );
}
