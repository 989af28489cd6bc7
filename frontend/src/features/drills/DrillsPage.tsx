/** Failover drills with their measured outage, and the form to schedule one. */
import { useQuery } from "@tanstack/react-query";
import { drillsList } from "@/api/failover";
import { policiesQuery } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import type { Drill } from "@/api/types";
import { drillsHeadline, drillTone } from "./drills";
import classes from "./DrillsPage.module.css";
import { ScheduleForm } from "./Schedule";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { count, milliseconds, percent } from "@/util/units";

const COLUMNS: readonly Column<Drill>[] = [
  {
    id: "name",
    sortable: true,
    header: "drill",
    value: ({ id }) => id,
    cell: ({ name, policy }) => `${name}, ${policy}`,
  },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateLabel state={drillTone(state)} label={state} title={state_text} />,
  },
  {
    id: "status",
    header: "status",
    value: ({ state_text, refused_because }) =>
      refused_because.length > 0 ? refused_because.join(" ") : state_text,
  },
  {
    id: "at",
    sortable: true,
    header: "start",
    value: ({ at }) => at,
    cell: ({ at, every_days }) =>
      `${clock(at).slice(0, 16)}${every_days === null ? "" : `, every ${count(every_days, "day")}`}`,
    wide: true,
  },
  {
    id: "worst_outage_ms",
    sortable: true,
    header: "worst outage",
    csvHeader: "worst outage (ms)",
    align: "right",
    value: ({ worst_outage_ms }) => worst_outage_ms,
    cell: ({ worst_outage_ms }) => milliseconds(worst_outage_ms),
  },
  {
    id: "fallback_utilisation",
    sortable: true,
    header: "fallback peak",
    csvHeader: "fallback peak (utilisation)",
    align: "right",
    value: ({ fallback_utilisation }) => fallback_utilisation,
    cell: ({ fallback_utilisation }) => percent(fallback_utilisation),
    wide: true,
  },
  { id: "author", sortable: true, header: "author", value: ({ author }) => author, wide: true },
];

export function DrillsPage() {
  const list = useListPage(drillsList, { columns: COLUMNS, sort: "-at" });
  const policies = useQuery({ ...policiesQuery(list.site ?? ""), enabled: list.site !== undefined });
  return (
    <>
      <PageHeader title="Drills" headline={list.headline(drillsHeadline)} />
      <div className={classes.page}>
        <ListTable
          list={list}
          label="Drills"
          noun="drills"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/drills/${id}`}
          none={
            <EmptyState title="No failover drill yet.">
              Run a drill below: it fails over, measures the outage, returns and keeps the results.
            </EmptyState>
          }
        />
        <ScheduleForm policies={policies.data ?? []} />
      </div>
    </>
  );
}
