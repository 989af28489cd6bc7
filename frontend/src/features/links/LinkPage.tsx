/** One link: ends, load and history, evidence, incidents and events. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { eventsList, incidentsList, linkQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import { usePages } from "@/api/useListPage";
import type { Link } from "@/api/types";
import { ExportButton } from "./ExportButton";
import { formatEnd } from "./history";
import { LinkChart } from "./LinkChart";
import classes from "./LinkPage.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { FactMark } from "@/ui/FactMark";
import { EventsPanel } from "@/ui/lists/EventList";
import { EvidenceList } from "@/ui/lists/EvidenceList";
import { Facts, type Fact } from "@/ui/Facts";
import { IncidentsPanel } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import { grouped, percent, rate } from "@/util/units";

/** Incidents and events per page. */
const MOST = 20;

/** The alert settings of the link's ports, which another feature shows. */
type AlertSettings = (ports: readonly { id: number; name: string }[]) => ReactNode;

export function LinkPage({ alertSettings }: { alertSettings?: AlertSettings }) {
  const id = Number(useParams().id);
  const link = useQuery(linkQuery(id));
  return (
    <QueryBoundary query={link} what="this link" page="Link">
      {(data) => <LinkDetails link={data} alertSettings={alertSettings} />}
    </QueryBoundary>
  );
}

/** Ends without a port, such as a fabric, have no alert settings. */
const portsOf = ({ source, target }: Link) =>
  [source, target].flatMap((end) =>
    end.port_id === null ? [] : [{ id: end.port_id, name: formatEnd(end) }],
  );

interface DetailsProps {
  link: Link;
  alertSettings: AlertSettings | undefined;
}

function LinkDetails({ link, alertSettings }: DetailsProps) {
  const site = useSite();
  return (
    <>
      <PageHeader
        title={link.name}
        headline={headline(link)}
        aside={<StateBadge state={link.state} text={link.state_text} />}
      >
        <Anchor href={`/map?sel=link:${link.id}`}>Show on the map</Anchor>
        <ExportButton selection={{ links: [link.id], text: link.name }} />
      </PageHeader>
      <div className={classes.page}>
        <Ends link={link} />
        <LinkChart link={link} />
        <div className={classes.pair}>
          <Panel title="About">
            <Facts facts={factsOf(link, site?.rate_scale ?? 1)} />
          </Panel>
          <Panel title="Evidence" flush>
            <EvidenceList {...link} />
          </Panel>
        </div>
        {alertSettings?.(portsOf(link))}
        {site !== undefined && <History site={site.name} link={link} />}
      </div>
    </>
  );
}

function headline(link: Link): string {
  const directions = [
    [link.target.node, link.forward],
    [link.source.node, link.back],
  ] as const;
  const known = directions.flatMap(([to, load]) =>
    load == null ? [] : [`${percent(load.utilisation)} utilisation toward ${to}`],
  );
  return `${known.length === 0 ? "No data" : known.join(", ")}; ${link.state_text}.`;
}

/** The port of an end; a fabric has none. */
const endUrl = ({ port_id, url }: Link["source"]): string => (port_id === null ? url : `/ports/${port_id}`);

function Ends({ link }: { link: Link }) {
  return (
    <div className={classes.ends}>
      <Anchor href={endUrl(link.source)} className={classes.end}>
        {formatEnd(link.source)}
      </Anchor>
      <div className={classes.way} data-testid="forward">
        <span aria-hidden="true">→</span>
        <span className="visually-hidden">to {formatEnd(link.target)}</span>
        <RateCell
          bps={link.forward?.bps}
          utilisation={link.forward?.utilisation}
          fresh={link.forward?.fresh ?? false}
        />
      </div>
      <div className={classes.way} data-testid="back">
        <span aria-hidden="true">←</span>
        <span className="visually-hidden">to {formatEnd(link.source)}</span>
        <RateCell
          bps={link.back?.bps}
          utilisation={link.back?.utilisation}
          fresh={link.back?.fresh ?? false}
        />
      </div>
      <Anchor href={endUrl(link.target)} className={classes.end}>
        {formatEnd(link.target)}
      </Anchor>
    </div>
  );
}

function factsOf(link: Link, scale: number): Fact[] {
  return [
    [
      "fabric",
      <Anchor key="fabric" href={`/links?fabric=${encodeURIComponent(link.fabric)}`}>
        {link.fabric}
      </Anchor>,
    ],
    ["carrier", <FactMark key="carrier" fact="carrier" state={link.carrier} />],
    ["path status", <FactMark key="carries" fact="link_use" state={link.carries} />],
    ["usable rate", rate(link.usable_rate)],
    ...(scale === 1
      ? []
      : ([["usable rate of the real medium", rate(link.usable_rate / scale)]] satisfies Fact[])),
    ["media rate", rate(link.media_rate)],
    ["MTU", `${grouped(link.mtu)} bytes`],
    ...(link.circuit === "" ? [] : ([["circuit (VPI/VCI)", link.circuit]] satisfies Fact[])),
    ["time in state", <AgeStamp key="since" at={link.since} />],
  ];
}

function History({ site, link }: { site: string; link: Link }) {
  const incidents = usePages(incidentsList(site, { link_id: link.id, limit: MOST }));
  const events = usePages(eventsList(site, { link_id: link.id, limit: MOST }));
  return (
    <div className={classes.pair}>
      <IncidentsPanel {...incidents} label={`Incidents of ${link.name}`} />
      <EventsPanel query={events.query} most={MOST} label={`Events of ${link.name}`} />
    </div>
  );
}
