/** One port: load, counters, utilisation, metrics, neighbours, addresses, link with evidence, incidents and tests. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { useAnnotations } from "@/api/ports/annotations";
import { neighbourEntriesList, portQuery, type NeighbourEntry } from "@/api/ports/ports";
import { eventsList, figuresList, incidentsList, linkQuery } from "@/api/queries";
import { useRange, useSite } from "@/api/scope";
import type { Figure, Port } from "@/api/types";
import { usePages } from "@/api/useListPage";
import { nameOf } from "./PortComparison";
import { PortCharts } from "./PortCharts";
import classes from "./PortPage.module.css";
import { headline, metricText } from "./texts";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { FactMark } from "@/ui/FactMark";
import { Facts, type Fact } from "@/ui/Facts";
import { EventsPanel } from "@/ui/lists/EventList";
import { EvidenceList } from "@/ui/lists/EvidenceList";
import { IncidentsPanel } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { DataTable } from "@/ui/table/DataTable";
import { clock, describe } from "@/util/time";
import { duration, grouped, NONE, rate } from "@/util/units";

/** Incidents, events and entries shown. */
const MOST = 20;

/** The alert settings of the port, which another feature shows. */
type AlertSettings = (ports: readonly { id: number; name: string }[]) => ReactNode;

export function PortPage({ alertSettings }: { alertSettings?: AlertSettings }) {
  const id = Number(useParams().id);
  const port = useQuery(portQuery(id));
  return (
    <QueryBoundary query={port} what="this port" page="Port">
      {(data) => <PortDetails key={data.id} port={data} alertSettings={alertSettings} />}
    </QueryBoundary>
  );
}

function PortDetails({ port, alertSettings }: { port: Port; alertSettings: AlertSettings | undefined }) {
  const site = useSite()?.name;
  return (
    <>
      <PageHeader
        title={nameOf(port)}
        headline={headline(port)}
        aside={<StateBadge state={port.state} text={port.state_text} />}
      >
        <Anchor href={`/devices/${port.node_id}`}>Device {port.node}</Anchor>
        {port.link_id !== null && <Anchor href={`/map?sel=link:${port.link_id}`}>Show on the map</Anchor>}
      </PageHeader>
      <div className={classes.page}>
        <PortCharts port={port} />
        <div className={classes.pair}>
          <Panel title="About">
            <Facts facts={factsOf(port)} />
          </Panel>
          {port.link_id === null ? (
            <Panel title="Link">
              <EmptyState title="No link is known at this port." />
            </Panel>
          ) : (
            <LinkOfPort id={port.link_id} />
          )}
        </div>
        {site !== undefined && (
          <div className={classes.pair}>
            <Metrics port={port} />
            <Neighbours site={site} port={port} />
          </div>
        )}
        {alertSettings?.([{ id: port.id, name: nameOf(port) }])}
        {site !== undefined && (
          <div className={classes.pair}>
            <History site={site} port={port} />
            <Tests port={port} />
          </div>
        )}
      </div>
    </>
  );
}

function factsOf(port: Port): Fact[] {
  return [
    [
      "fabric",
      port.fabric === null ? (
        port.kind
      ) : (
        <Anchor key="fabric" href={`/links?fabric=${encodeURIComponent(port.fabric)}`}>
          {port.fabric}
        </Anchor>
      ),
    ],
    ["carrier", <FactMark key="carrier" fact="carrier" state={port.carrier} />],
    ["time in state", port.since === null ? NONE : <AgeStamp key="since" at={port.since} />],
    ["usable rate", rate(port.usable_rate || null)],
    ["speed stated by the device", rate(port.contradicted_speed ?? (port.speed || null))],
    ["MTU", port.mtu === 0 ? NONE : `${grouped(port.mtu)} bytes`],
    [
      "addresses",
      <span key="addresses" className="num">
        {port.addresses.join(", ") || NONE}
      </span>,
    ],
    [
      "hardware address",
      <span key="mac" className="mono">
        {port.mac || NONE}
      </span>,
    ],
    ["last reported", port.age_s === null ? NONE : `${duration(port.age_s)} ago`],
  ];
}

function LinkOfPort({ id }: { id: number }) {
  const link = useQuery(linkQuery(id));
  return (
    <Panel
      title="Link"
      aside={link.data && <StateBadge state={link.data.state} text={link.data.state_text} />}
      flush
    >
      <QueryBoundary query={link} what="the link">
        {(data) => (
          <>
            <p className={classes.link}>
              <Anchor href={data.url}>{data.name}</Anchor>
            </p>
            <EvidenceList {...data} />
          </>
        )}
      </QueryBoundary>
    </Panel>
  );
}

const METRICS: readonly Column<Figure>[] = [
  { id: "name", header: "metric", value: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: "value",
    header: "now",
    align: "right",
    value: ({ value, reported_state }) => reported_state ?? value,
    cell: (metric) => <span className="num">{metricText(metric)}</span>,
  },
];

function Metrics({ port }: { port: Port }) {
  const { query } = usePages(figuresList(port.node_id)("", { subject: port.name }));
  return (
    <Panel title="Metrics of the port" flush>
      <QueryBoundary query={query} what="the metrics">
        {(rows) => (
          <DataTable
            label={`Metrics of ${nameOf(port)}`}
            noun="metrics"
            rows={rows}
            columns={METRICS}
            rowKey={({ id }) => id}
            rowHref={({ id }) =>
              `/devices/${port.node_id}?figure=${encodeURIComponent(id)}&part=${encodeURIComponent(port.name)}`
            }
            isPlain
            empty={<EmptyState title="The device reports no metrics of this port other than its counters." />}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

const NEIGHBOURS: readonly Column<NeighbourEntry>[] = [
  { id: "address", header: "address", value: ({ address }) => address },
  {
    id: "mac",
    header: "hardware address",
    value: ({ mac }) => mac,
    cell: ({ mac }) => <span className="mono">{mac || NONE}</span>,
  },
  { id: "owner", header: "owner", value: ({ owner }) => owner, cell: ({ owner }) => owner || NONE },
  { id: "state", header: "state", value: ({ state }) => state, wide: true },
];

function Neighbours({ site, port }: { site: string; port: Port }) {
  const { query } = usePages(neighbourEntriesList(site, { node: port.node, port: port.name, limit: MOST }));
  return (
    <Panel
      title="Neighbours"
      aside={<Anchor href={`/neighbours?q=${encodeURIComponent(nameOf(port))}`}>Neighbour tables</Anchor>}
      flush
    >
      <QueryBoundary query={query} what="the neighbours">
        {(rows) => (
          <DataTable
            label={`Neighbours at ${nameOf(port)}`}
            noun="neighbours"
            rows={rows}
            columns={NEIGHBOURS}
            rowKey={({ address }) => address}
            isPlain
            empty={<EmptyState title="No neighbours reported at this port." />}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

/** Of the link; a port without one has those of its device. */
function History({ site, port }: { site: string; port: Port }) {
  const about = port.link_id === null ? { node: port.node } : { link_id: port.link_id };
  const incidents = usePages(incidentsList(site, { ...about, limit: MOST }));
  const events = usePages(eventsList(site, { ...about, limit: MOST }));
  const label = port.link_id === null ? port.node : "the link";
  return (
    <>
      <IncidentsPanel {...incidents} label={`Incidents of ${label}`} />
      <EventsPanel query={events.query} most={MOST} label={`Events of ${label}`} />
    </>
  );
}

/** Runs load the whole site, so all of the range are listed. */
function Tests({ port }: { port: Port }) {
  const [range] = useRange();
  const marks = useAnnotations(range, { nodes: [port.node_id] });
  const tests = marks?.filter(({ kind }) => kind === "test") ?? [];
  return (
    <Panel title={`Throughput tests of the site, ${describe(range)}`}>
      {tests.length === 0 ? (
        <EmptyState title="No throughput test ended in this range.">
          Plan one on the page <Anchor href="/tests">Tests</Anchor>.
        </EmptyState>
      ) : (
        <ul className={classes.tests}>
          {tests.map(({ at, text, url }) => (
            <li key={`${at} ${text}`}>
              <span className="num dim">{clock(new Date(at * 1000).toISOString())}</span>{" "}
              <Anchor href={url}>{text}</Anchor>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
