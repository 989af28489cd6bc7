/** One node: role in paths, incidents, ports, charts, metrics in groups, then facts, events, collection and saved state. */
import { useState, type ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { eventsList, incidentsList, nodeQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import { usePages } from "@/api/useListPage";
import type { Node } from "@/api/types";
import classes from "./DevicePage.module.css";
import { Management } from "./Management";
import { HoldNode } from "./HoldNode";
import { Collectors } from "./Collectors";
import { KeyMetrics, Metrics } from "./Metrics";
import { Ports } from "./Ports";
import { Role } from "./Role";
import { SavedState } from "./SavedState";
import { Traffic } from "./Traffic";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EventsPanel } from "@/ui/lists/EventList";
import { FactMark } from "@/ui/FactMark";
import { Facts, type Fact } from "@/ui/Facts";
import { IncidentsPanel } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import { node_labels } from "@/util/spec.json";
import { duration, NONE, offset } from "@/util/units";

/** Incidents and events per page. */
const MOST = 20;
const RENEW_MS = 5000;

/** The alert settings of a node's ports, which another feature shows. */
type AlertSettings = (site: string, node: string) => ReactNode;

export function DevicePage({ alertSettings }: { alertSettings?: AlertSettings }) {
  const id = Number(useParams().id);
  const node = useQuery({ ...nodeQuery(id), refetchInterval: RENEW_MS });
  return (
    <QueryBoundary query={node} what="this device" page="Device">
      {(data) => <Device node={data} alertSettings={alertSettings} />}
    </QueryBoundary>
  );
}

function Device({ node, alertSettings }: { node: Node; alertSettings: AlertSettings | undefined }) {
  const site = useSite()?.name;
  return (
    <>
      <PageHeader
        title={node.name}
        headline={`${node.title === "" ? node.kind : node.title}: ${node.state_text}.`}
        aside={<StateBadge state={node.state} text={node.state_text} />}
      >
        <Anchor href={`/paths/between?source=${encodeURIComponent(node.name)}`}>Path to another node</Anchor>
        <Anchor href={`/map?sel=node:${node.id}`}>Show on the map</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Management node={node} />
        {site !== undefined && (
          <>
            <div className={classes.pair}>
              <Role site={site} node={node} />
              <Incidents site={site} node={node.name} />
            </div>
            <Ports node={node.name} />
            <Traffic key={node.id} site={site} node={node} />
            <KeyMetrics node={node.id} />
            <Metrics node={node.id} name={node.name} />
          </>
        )}
        <div className={classes.pair}>
          <Panel title="About">
            <Facts facts={factsOf(node)} />
          </Panel>
          {site !== undefined && <Events site={site} node={node.name} />}
        </div>
        {node.engine !== null && <HoldNode key={node.id} node={node} />}
        {site !== undefined && (
          <>
            <Collectors node={node.id} name={node.name} />
            <SavedState site={site} node={node.name} />
            {alertSettings?.(site, node.name)}
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

/** Title of a label that has a meaning; others are the site's own words. */
const labelTitle = (label: string): string => node_labels.find(({ name }) => name === label)?.title ?? label;

function gatewayFacts({ role, text, reachability }: NonNullable<Node["gateway"]>): Fact[] {
  return [
    [
      "gateway",
      <span key="role">
        <FactMark fact="gateway_role" state={role} /> {text}
      </span>,
    ],
    ["probes by nodes", <FactMark key="reachability" fact="reachability" state={reachability} />],
  ];
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
    [
      "reports",
      node.reporting === null ? NONE : <FactMark key="reporting" fact="reporting" state={node.reporting} />,
    ],
    ...(node.gateway === null ? [] : gatewayFacts(node.gateway)),
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
    ...Object.entries(node.labels).map(([label, value]): Fact => [labelTitle(label), value]),
  ];
}

function Incidents({ site, node }: { site: string; node: string }) {
  const [isAll, setAll] = useState(false);
  const phase = isAll ? {} : ({ phase: "current" } as const);
  const incidents = usePages(incidentsList(site, { node, limit: MOST, ...phase }));
  return (
    <IncidentsPanel
      {...incidents}
      label={`Incidents of ${node}`}
      title={isAll ? "Incidents" : "Open incidents"}
      aside={
        <button type="button" className={classes.pick} onClick={() => setAll(!isAll)}>
          {isAll ? "Only open ones" : "Resolved ones too"}
        </button>
      }
    />
  );
}

function Events({ site, node }: { site: string; node: string }) {
  const events = usePages(eventsList(site, { node, limit: MOST }));
  return (
    <EventsPanel
      query={events.query}
      most={MOST}
      label={`Events of ${node}`}
      aside={<Anchor href={`/events?node=${encodeURIComponent(node)}`}>All events</Anchor>}
    />
  );
}
