/** Incidents of the site, effects grouped under their root cause. */
import { SegmentedControl } from "@mantine/core";
import { incidentsList } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import { incidentsHeadline } from "./filter";
import classes from "./IncidentsPage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { IncidentList } from "@/ui/lists/IncidentList";
import { ListTools, NoMatch } from "@/ui/table/ListTable";
import { LoadMore } from "@/ui/table/LoadMore";
import { PageHeader } from "@/ui/PageHeader";
import { incident_kinds } from "@/util/spec.json";

const PHASES = [
  { value: "current", label: "not resolved" },
  { value: "open", label: "open" },
  { value: "acknowledged", label: "acknowledged" },
  { value: "resolved", label: "resolved" },
  { value: "all", label: "all" },
] as const;

const KIND_CHOICES = [
  { value: "", label: "all kinds" },
  ...incident_kinds.map(({ kind: value, title }) => ({ value, label: title })),
];

export function IncidentsPage() {
  const list = useListPage(incidentsList, { filters: { phase: "current", kind: "" } });
  const { query, rest, values, set } = list;
  return (
    <>
      <PageHeader title="Incidents" headline={list.headline(incidentsHeadline)} />
      <section className={classes.frame} aria-label="List of incidents">
        <div className={classes.tools}>
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
            filters={[{ name: "kind", label: "Kind", choices: KIND_CHOICES }]}
          />
        </div>
        <QueryBoundary query={query} what="the incidents">
          {(rows) =>
            rows.length > 0 ? (
              <IncidentList incidents={rows} label="Incidents" />
            ) : values.q !== "" || values.kind !== "" ? (
              <NoMatch noun="incidents" />
            ) : (
              <None phase={values.phase} />
            )
          }
        </QueryBoundary>
        <LoadMore rest={rest} />
      </section>
    </>
  );
}

function None({ phase }: { phase: string }) {
  return (
    <EmptyState title={phase === "current" ? "No open incidents." : "No incidents in this phase."}>
      {phase === "current"
        ? "Rules check saturation, dead gateways, unreachable nodes, ports without carrier and dead paths."
        : "Select another phase above."}
    </EmptyState>
  );
}
