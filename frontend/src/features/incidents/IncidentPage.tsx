/** One incident: facts, evidence, related incidents, chart, comments and timeline. */
import type { ReactNode } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { eventsList, incidentQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import type { IncidentDetail } from "@/api/types";
import { Comments, QuickActions } from "./IncidentActions";
import { IncidentCharts, type Drawings } from "./IncidentCharts";
import classes from "./IncidentPage.module.css";
import { EffectList } from "./RootList";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { EventList } from "@/ui/lists/EventList";
import { Facts, type Fact } from "@/ui/Facts";
import { ruleLabel } from "@/ui/lists/IncidentList";
import { PageHeader, PrintButton } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { useClock } from "@/ui/useClock";
import { clock } from "@/util/time";
import { count, duration, percent } from "@/util/units";

/** Who was notified of an incident, which another feature shows. */
type Notified = (site: string, incident: IncidentDetail) => ReactNode;

interface PageProps {
  drawings: Drawings;
  notified: Notified;
}

export function IncidentPage(parts: PageProps) {
  const id = Number(useParams().id);
  const incident = useQuery(incidentQuery(id));
  return (
    <QueryBoundary query={incident} what="this incident" page="Incident">
      {(data) => <Details incident={data} {...parts} />}
    </QueryBoundary>
  );
}

function Details({ incident, drawings, notified }: PageProps & { incident: IncidentDetail }) {
  const site = useSite()?.name;
  return (
    <>
      <PageHeader
        title={incident.title}
        headline={incident.detail}
        aside={
          <StateBadge state={incident.phase === "resolved" ? "ok" : incident.state} text={incident.phase} />
        }
      >
        <Runbook file={incident.runbook} kind={incident.kind} />
        <QuickActions incident={incident} />
        <PrintButton />
      </PageHeader>
      <div className={classes.page}>
        <Panel title="About">
          <Facts facts={factsOf(incident)} />
          <AffectedPaths incident={incident} />
        </Panel>
        <EvidenceList evidence={incident.evidence} />
        {site !== undefined && incident.effects > 0 && (
          <Panel title={`Root cause of ${count(incident.effects, "incident")}`} flush>
            <EffectList incident={incident} site={site} />
          </Panel>
        )}
        {site !== undefined && <IncidentCharts site={site} charts={incident.charts} drawings={drawings} />}
        {site !== undefined && notified(site, incident)}
        <Comments incident={incident} />
        {site !== undefined && <Timeline site={site} incident={incident} />}
      </div>
    </>
  );
}

/** Whether it notifies, who deals with it, and how often it came back. */
function handlingOf(incident: IncidentDetail): Fact[] {
  const { owner, snoozed_until, snoozed_by, muted, occurrences, flapping_since, resolves_at } = incident;
  const facts: Fact[] = [];
  if (owner !== null) facts.push(["owner", owner]);
  if (snoozed_until !== null)
    facts.push([
      "snoozed",
      `until ${clock(snoozed_until)}${snoozed_by === null ? "" : `, by ${snoozed_by}`}`,
    ]);
  if (muted === "maintenance") facts.push(["notifications", "muted by a maintenance window"]);
  if (flapping_since !== null)
    facts.push(["flapping", `${count(occurrences, "time")} since ${clock(flapping_since)}`]);
  if (resolves_at !== null) facts.push(["quiet", `resolves at ${clock(resolves_at)} unless it comes back`]);
  return facts;
}

function factsOf(incident: IncidentDetail): Fact[] {
  const {
    kind,
    phase,
    since,
    last_seen,
    resolved_at,
    acknowledged_by,
    acknowledged_at,
    objects,
    value,
    threshold,
  } = incident;
  const facts: Fact[] = [
    ["rule", ruleLabel(kind)],
    ["phase", phase],
    ["started", <span key="since">{clock(since)}</span>],
  ];
  if (resolved_at === null)
    facts.push(
      ["open for", <AgeStamp key="age" at={since} />],
      ["last seen", <AgeStamp key="seen" at={last_seen} suffix="ago" />],
    );
  else
    facts.push(
      ["ended", clock(resolved_at)],
      ["lasted", duration((Date.parse(resolved_at) - Date.parse(since)) / 1000)],
    );
  if (acknowledged_by !== null)
    facts.push(["acknowledged by", `${acknowledged_by}, ${clock(acknowledged_at)}`]);
  facts.push(...handlingOf(incident));
  for (const [object, label] of OBJECTS) {
    const mine = objects.filter(({ kind: own }) => own === object);
    if (mine.length > 0) facts.push([label, <Links key={object} objects={mine} />]);
  }
  // The value of other rules (nodes, seconds) is part of their title.
  if (kind === "saturation" && value !== null)
    facts.push([
      "utilisation",
      `${percent(value)}${threshold === null ? "" : `, limit ${percent(threshold)}`}`,
    ]);
  return facts;
}

/** Kinds of objects, most general first, with their labels. */
const OBJECTS = [
  ["incident", "caused by"],
  ["node", "device"],
  ["link", "link"],
  ["policy", "policies"],
  ["change", "changes"],
  ["test_run", "tests"],
  ["window", "maintenance"],
] as const;

type Objects = IncidentDetail["objects"];

/** The server links only the first paths: `number` counts all. */
interface Group {
  readonly title: string;
  readonly number: number;
  readonly links: Objects;
}

/** ID of the path that a URL opens. */
const idOf = (url: string): number => Number(new URLSearchParams(url.split("?")[1]).get("sel"));

function pathGroups(incident: IncidentDetail): Group[] {
  const { dead_paths, rerouted_paths, standby_paths, path_ids, objects } = incident;
  const links = objects.filter(({ kind }) => kind === "path");
  const known = (
    [
      ["Dead", dead_paths],
      ["Rerouted", rerouted_paths],
      ["Standby lost", standby_paths],
    ] as const
  ).filter(([, ids]) => ids.length > 0);
  const groups = known.length > 0 ? known : ([["Affected", path_ids]] as const);
  return groups
    .filter(([, ids]) => ids.length > 0)
    .map(([title, ids]) => ({
      title,
      number: ids.length,
      links: links.filter(({ url }) => ids.includes(idOf(url))),
    }));
}

/** Objects of an incident, each a link to its page. */
function Links({ objects }: { objects: Objects }) {
  return (
    <>
      {objects.map(({ name, url }, place) => (
        <span key={url}>
          {place > 0 && ", "}
          <Anchor href={url}>{name}</Anchor>
        </span>
      ))}
    </>
  );
}

/** Paths affected by the incident, grouped by effect, the worst first. */
function AffectedPaths({ incident }: { incident: IncidentDetail }) {
  const groups = pathGroups(incident);
  if (groups.length === 0) return null;
  return (
    <dl className={classes.paths}>
      {groups.map(({ title, number, links }) => (
        <div key={title}>
          <dt>
            {title}: {count(number, "path")}
          </dt>
          <dd>
            <Links objects={links} />
            {links.length > 0 && links.length < number && (
              <span className="dim">, and {number - links.length} more</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Each observation with its source, age and reporting nodes; contradictions last. */
function EvidenceList({ evidence }: { evidence: IncidentDetail["evidence"] }) {
  if (evidence.length === 0)
    return (
      <Panel title="Evidence" flush>
        <EmptyState title="No evidence recorded." />
      </Panel>
    );
  return (
    <Panel title="Evidence" flush>
      <ul className={classes.list} aria-label="Evidence">
        {evidence.map((item) => (
          <li
            key={`${item.source} ${item.text} ${item.by}`}
            className={classes.item}
            data-supports={item.supports}
          >
            <span className={classes.verdict}>{item.supports ? "supports" : "contradicts"}</span>
            <span className={classes.source}>{item.label}</span>
            <span className={classes.text}>{item.text}</span>
            <span className={`dim ${classes.by}`}>{item.by !== "" && `reported by ${item.by}`}</span>
            <span className={`dim ${classes.age}`}>
              {item.at === null ? "time unknown" : <AgeStamp at={item.at} suffix="ago" />}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Runbook({ file, kind }: { file: string; kind: string }) {
  const name = file.replace(/^.*\//, "").replace(/\.md$/, "");
  return <ButtonLink href={`/runbooks/${name}`}>Runbook: {ruleLabel(kind).toLowerCase()}</ButtonLink>;
}

function Timeline({ site, incident }: { site: string; incident: IncidentDetail }) {
  const now = useClock(30_000) / 1000;
  const events = useInfiniteQuery(eventsList(site, { incident_id: incident.id }));
  return (
    <Panel title="Timeline" flush>
      <QueryBoundary query={events} what="the timeline">
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <EmptyState title="No events." />
          ) : (
            <EventList events={items} now={now} label="Timeline" />
          );
        }}
      </QueryBoundary>
    </Panel>
  );
}
