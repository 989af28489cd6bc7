/** Incidents of the site, effects grouped under their root cause. */
import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { incidentsQuery, type IncidentFilter } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
import type { Incident } from "@/api/types";
import { incidentsHeadline, matches } from "./filter";
import classes from "./IncidentsPage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { IncidentList } from "@/ui/lists/IncidentList";
import { PageHeader } from "@/ui/PageHeader";
import { incident_kinds } from "@/util/spec.json";

type Phase = NonNullable<IncidentFilter["phase"]> | "all";

const PHASES: readonly { value: Phase; label: string }[] = [
  { value: "current", label: "not resolved" },
  { value: "open", label: "open" },
  { value: "acknowledged", label: "acknowledged" },
  { value: "resolved", label: "resolved" },
  { value: "all", label: "all" },
];

export function IncidentsPage() {
  const site = useSite();
  const [phase, setPhase] = useParam<Phase>("phase", "current");
  const [kind, setKind] = useParam("kind", "");
  const [q, setQ] = useParam("q", "");
  const incidents = useQuery({
    ...incidentsQuery(site?.name ?? "", phase === "all" ? {} : { phase }),
    enabled: site !== undefined,
  });
  const current = useQuery({
    ...incidentsQuery(site?.name ?? "", { phase: "current" }),
    enabled: site !== undefined,
  });
  return (
    <>
      <PageHeader
        title="Incidents"
        headline={current.data === undefined ? "" : incidentsHeadline(current.data)}
      />
      <section className={classes.frame} aria-label="List of incidents">
        <div className={classes.tools}>
          <SegmentedControl
            size="xs"
            aria-label="Phase"
            value={phase}
            onChange={(value) => setPhase(value as Phase)}
            data={[...PHASES]}
          />
          <TextFilter label="Search" value={q} onChange={setQ} />
          <ChoiceFilter
            label="Kind"
            value={kind}
            onChange={setKind}
            choices={[
              { value: "", label: "all kinds" },
              ...incident_kinds.map(({ kind: value, title }) => ({ value, label: title })),
            ]}
          />
        </div>
        <QueryBoundary query={incidents} what="the incidents">
          {(rows) => (
            <Rows
              rows={rows.filter((incident) => matches(incident, { q, kind }))}
              all={rows.length}
              phase={phase}
            />
          )}
        </QueryBoundary>
      </section>
    </>
  );
}

function Rows({ rows, all, phase }: { rows: readonly Incident[]; all: number; phase: Phase }) {
  if (rows.length > 0) return <IncidentList incidents={rows} label="Incidents" />;
  if (all > 0)
    return (
      <EmptyState title="No incidents match these filters.">Clear a filter to see all {all}.</EmptyState>
    );
  return (
    <EmptyState title={phase === "current" ? "No open incidents." : "No incidents in this phase."}>
      {phase === "current"
        ? "Rules check saturation, dead gateways, unreachable nodes, ports without carrier and dead paths."
        : "Select another phase above."}
    </EmptyState>
  );
}
