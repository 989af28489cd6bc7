/** Incidents of the site, effects grouped under their root cause. */
import { SegmentedControl } from "@mantine/core";
import { usePast } from "@/api/scope";
import { incidentsList } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import { BulkBar } from "./BulkBar";
import { RootList } from "./RootList";
import { EmptyState } from "@/ui/ErrorState";
import { ListFrame, ListTools, NoMatch } from "@/ui/table/ListTable";
import { IncidentList } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import type { Column } from "@/ui/table/columns";
import { incident_kinds } from "@/util/spec.json";
import type { Incident } from "@/api/types";
import { count } from "@/util/units";

const PHASES = [
  { value: "current", label: "not resolved" },
  { value: "open", label: "open" },
  { value: "acknowledged", label: "acknowledged" },
  { value: "resolved", label: "resolved" },
  { value: "all", label: "all" },
] as const;

const ROOT_CHOICES = [
  { value: "true", label: "root causes" },
  { value: "false", label: "effects" },
  { value: "all", label: "all incidents" },
];

const KIND_CHOICES = [
  { value: "", label: "all kinds" },
  ...incident_kinds.map(({ kind: value, title }) => ({ value, label: title })),
];

const MUTED_CHOICES = [
  { value: "false", label: "not muted" },
  { value: "true", label: "muted" },
  { value: "all", label: "muted and others" },
];

const OWNER_CHOICES = [
  { value: "", label: "any owner" },
  { value: "false", label: "without owner" },
  { value: "true", label: "with owner" },
];

const CSV: readonly Column<Incident>[] = [
  { id: "id", header: "incident", value: ({ id }) => id },
  { id: "kind", header: "kind", value: ({ kind }) => kind },
  { id: "title", header: "title", value: ({ title }) => title },
  { id: "detail", header: "detail", value: ({ detail }) => detail },
  { id: "state", header: "severity", value: ({ state }) => state },
  { id: "phase", header: "phase", value: ({ phase }) => phase },
  { id: "since", header: "since", value: ({ since }) => since },
  { id: "resolved_at", header: "resolved", value: ({ resolved_at }) => resolved_at },
  { id: "cause_id", header: "root cause", value: ({ cause_id }) => cause_id },
  { id: "effects", header: "effects", value: ({ effects }) => effects },
  { id: "dead_paths", header: "dead paths", value: ({ dead_paths }) => dead_paths.length },
  { id: "rerouted_paths", header: "rerouted paths", value: ({ rerouted_paths }) => rerouted_paths.length },
  { id: "owner", header: "owner", value: ({ owner }) => owner },
  { id: "acknowledged_by", header: "acknowledged by", value: ({ acknowledged_by }) => acknowledged_by },
  { id: "comment", header: "comment", value: ({ comment }) => comment },
  { id: "occurrences", header: "occurrences", value: ({ occurrences }) => occurrences },
];

const FILTERS = { phase: "current", kind: "", root: "true", muted: "false", has_owner: "" };

/** `true` and `false` in the URL; null: not filtered. */
const flag = (value: string): boolean | null => (value === "true" ? true : value === "false" ? false : null);

export function IncidentsPage() {
  const past = usePast();
  return past === null ? <PresentIncidents /> : <PastIncidents at={past.at} />;
}

const PAST_FILTERS = { kind: "" };

/** All incidents that were open at a moment; nothing can be done about them then. */
function PastIncidents({ at }: { at: string }) {
  const list = useListPage(incidentsList, { filters: PAST_FILTERS, fixed: { at } });
  return (
    <>
      <PageHeader
        title="Incidents"
        headline={list.headline((rows) => `${count(rows.length, "incident")} open at that time.`)}
      />
      <ListFrame
        list={list}
        noun="incidents"
        csv={CSV}
        tools={
          <ListTools
            list={list}
            search="Search"
            filters={[{ name: "kind", label: "Kind", choices: KIND_CHOICES }]}
          />
        }
      >
        {(rows) => {
          if (rows.length > 0) return <IncidentList incidents={rows} label="Incidents" />;
          return list.isFiltered ? (
            <NoMatch noun="incidents" />
          ) : (
            <EmptyState title="No incidents were open at that time.">
              Incidents are deleted when their retention time is over.
            </EmptyState>
          );
        }}
      </ListFrame>
    </>
  );
}

function PresentIncidents() {
  const list = useListPage(incidentsList, { filters: FILTERS });
  const { values, set } = list;
  const wanted = {
    ...(values.q === "" ? {} : { q: values.q }),
    ...(values.phase === "all" ? {} : { phase: values.phase as "current" }),
    ...(values.kind === "" ? {} : { kind: values.kind as Incident["kind"] }),
    ...present("root", flag(values.root)),
    ...present("muted", flag(values.muted)),
    ...present("has_owner", flag(values.has_owner)),
  };
  return (
    <>
      <PageHeader title="Incidents" headline={list.headline(incidentsHeadline)} />
      <ListFrame
        list={list}
        noun="incidents"
        csv={CSV}
        tools={
          <>
            <SegmentedControl
              size="xs"
              aria-label="Phase"
              value={values.phase}
              onChange={(value) => set("phase", value)}
              data={[...PHASES]}
            />
            <ListTools
              list={list}
              search="Search"
              filters={[
                { name: "root", label: "Show", choices: ROOT_CHOICES },
                { name: "kind", label: "Kind", choices: KIND_CHOICES },
                { name: "has_owner", label: "Owner", choices: OWNER_CHOICES },
                { name: "muted", label: "Notifications", choices: MUTED_CHOICES },
              ]}
            />
            {list.site !== undefined && (
              <BulkBar
                site={list.site}
                filter={wanted}
                hidesMuted={values.muted === "false"}
                onShowMuted={() => set("muted", "all")}
              />
            )}
          </>
        }
      >
        {(rows) =>
          rows.length > 0 ? (
            <RootList incidents={rows} site={list.site ?? ""} />
          ) : values.q !== "" || values.kind !== "" ? (
            <NoMatch noun="incidents" />
          ) : (
            <None phase={values.phase} />
          )
        }
      </ListFrame>
    </>
  );
}

const present = <N extends string>(name: N, value: boolean | null) =>
  (value === null ? {} : { [name]: value }) as Partial<Record<N, boolean>>;

function None({ phase }: { phase: string }) {
  return (
    <EmptyState title={phase === "current" ? "No open incidents." : "No incidents in this phase."}>
      {phase === "current"
        ? "Rules check saturation, gateways, fabrics, ports without carrier, dead paths and nodes that do not report."
        : "Select another phase above."}
    </EmptyState>
  );
}

/** `current`: the root causes that are not resolved. */
function incidentsHeadline(current: readonly Incident[]): string {
  if (current.length === 0) return "No open incidents.";
  const waiting = current.filter(({ phase }) => phase === "open").length;
  const effects = current.reduce((sum, incident) => sum + incident.effects, 0);
  const parts = [count(current.length, "unresolved incident")];
  if (effects > 0) parts.push(count(effects, "effect"));
  parts.push(waiting === 0 ? "all acknowledged" : `${waiting} unacknowledged`);
  return `${parts.join(", ")}.`;
}
