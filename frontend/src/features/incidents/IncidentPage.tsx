/** One incident: facts, acknowledgement, related incidents and timeline. */
import { useInfiniteQuery, useQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { eventsList, incidentQuery, incidentsQuery, sessionQuery } from "@/api/queries";
import { may } from "@/api/may";
import { useSite } from "@/api/scope";
import type { Incident } from "@/api/types";
import { client, unwrap } from "@/api/client";
import { useSubmit } from "@/api/useSubmit";
import classes from "./IncidentPage.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { EventList } from "@/ui/lists/EventList";
import { Facts, type Fact } from "@/ui/Facts";
import { IncidentList, ruleLabel } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { useClock } from "@/ui/useClock";
import { clock } from "@/util/time";
import { duration, percent } from "@/util/units";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";

export function IncidentPage() {
  const id = Number(useParams().id);
  const incident = useQuery(incidentQuery(id));
  return (
    <QueryBoundary query={incident} what="this incident" page="Incident">
      {(data) => <Details incident={data} />}
    </QueryBoundary>
  );
}

function Details({ incident }: { incident: Incident }) {
  const site = useSite()?.name;
  const { data: person } = useQuery(sessionQuery);
  return (
    <>
      <PageHeader
        title={incident.title}
        headline={incident.detail}
        aside={
          <StateBadge state={incident.phase === "resolved" ? "ok" : incident.state} text={incident.phase} />
        }
      />
      <div className={classes.page}>
        <Panel title="About">
          <Facts facts={factsOf(incident)} />
          {incident.comment !== "" && <blockquote className={classes.comment}>{incident.comment}</blockquote>}
        </Panel>
        {may.acknowledge(person, incident) && <Acknowledge id={incident.id} />}
        {site !== undefined && <Related site={site} incident={incident} />}
        {site !== undefined && <Timeline site={site} incident={incident} />}
      </div>
    </>
  );
}

function factsOf(incident: Incident): Fact[] {
  const {
    kind,
    phase,
    since,
    last_seen,
    resolved_at,
    acknowledged_by,
    acknowledged_at,
    link_id,
    node_id,
    name,
    path_ids,
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
  if (link_id !== null)
    facts.push([
      "link",
      <Anchor key="link" href={`/links/${link_id}`}>
        {name}
      </Anchor>,
    ]);
  if (node_id !== null)
    facts.push([
      "device",
      <Anchor key="node" href={`/devices/${node_id}`}>
        {link_id === null ? name : "show"}
      </Anchor>,
    ]);
  if (path_ids.length > 0)
    facts.push(["paths", <Anchor key="paths" href="/paths">{`${path_ids.length} affected`}</Anchor>]);
  // The value of other rules (nodes, seconds) is part of their title.
  if (kind === "saturation" && value !== null)
    facts.push([
      "utilisation",
      `${percent(value)}${threshold === null ? "" : `, limit ${percent(threshold)}`}`,
    ]);
  return facts;
}

/** The root cause of the incident, and the incidents that it causes. */
function Related({ site, incident }: { site: string; incident: Incident }) {
  const all = useQuery(incidentsQuery(site));
  const related = (all.data ?? []).filter(
    (one) => one.id !== incident.id && (one.id === incident.cause_id || one.cause_id === incident.id),
  );
  if (related.length === 0) return null;
  return (
    <Panel title={incident.cause_id === null ? "Root cause of" : "Caused by, and root cause of"} flush>
      <IncidentList incidents={related} label="Related incidents" />
    </Panel>
  );
}

function Timeline({ site, incident }: { site: string; incident: Incident }) {
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

const LONGEST = 2000;

function Acknowledge({ id }: { id: number }) {
  const form = useForm({ initialValues: { comment: "" } });
  const queries = useQueryClient();
  const acknowledge = useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: { comment: string }) =>
      unwrap(client.POST("/api/v1/incidents/{id}/acknowledge", { params: { path: { id } }, body })),
    onSuccess: (incident) => {
      queries.setQueryData(incidentQuery(id).queryKey, incident);
      void queries.invalidateQueries({ queryKey: ["incidents"] });
      notify("good", "Incident acknowledged.");
    },
  });
  const { onSubmit, busy, error } = useSubmit(form, acknowledge, (values) => values);
  return (
    <Panel title="Acknowledge">
      <form className={classes.form} onSubmit={onSubmit}>
        <Textarea
          label="Comment"
          description="Findings and actions, visible to everybody on call"
          autosize
          minRows={2}
          maxLength={LONGEST}
          {...form.getInputProps("comment")}
        />
        <FormError>{error}</FormError>
        <Button type="submit" size="xs" loading={busy}>
          Acknowledge
        </Button>
      </form>
    </Panel>
  );
}
