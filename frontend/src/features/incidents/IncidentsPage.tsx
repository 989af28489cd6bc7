/** Incidents of the site, effects grouped under their root cause. */
import { SegmentedControl } from "@mantine/core";
import { incidentsList } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import { RootList } from "./RootList";
import { EmptyState } from "@/ui/ErrorState";
import { ListFrame, ListTools, NoMatch } from "@/ui/table/ListTable";
import { PageHeader } from "@/ui/PageHeader";
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

export function IncidentsPage() {
  const list = useListPage(incidentsList, { filters: { phase: "current", kind: "", root: "true" } });
  const { values, set } = list;
  return (
    <>
      <PageHeader title="Incidents" headline={list.headline(incidentsHeadline)} />
      <ListFrame
        list={list}
        noun="incidents"
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
              ]}
            />
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
