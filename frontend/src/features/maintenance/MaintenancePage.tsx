/** Maintenance windows of the site, calendar files in, calendar feeds out. */
import { useQuery } from "@tanstack/react-query";
import { windowsList } from "./queries";
import type { MaintenanceWindow } from "@/api/types";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import { CalendarPanel } from "./CalendarPanel";
import { stopsText } from "./draft";
import classes from "./Maintenance.module.css";
import { stateLabels, stateTone } from "./states";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import { ListTable } from "@/ui/table/ListTable";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { count } from "@/util/units";

const COLUMNS: readonly Column<MaintenanceWindow>[] = [
  { id: "name", sortable: true, header: "window", value: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state }) => <StateLabel state={stateTone(state)} label={stateLabels[state]} />,
  },
  { id: "targets", header: "objects", value: ({ targets }) => targets.map(({ name }) => name).join(", ") },
  {
    id: "begins_at",
    sortable: true,
    header: "current or next",
    value: ({ begins_at }) => begins_at,
    cell: ({ begins_at, ends_at }) =>
      begins_at === null || ends_at === null ? "–" : `${clock(begins_at)} to ${clock(ends_at)}`,
  },
  { id: "rule", header: "repeats", value: ({ rule }) => rule || "once", wide: true },
  { id: "stops", header: "stops", value: stopsText, wide: true },
];

const STATE_CHOICES = [
  { value: "", label: "all states" },
  { value: "active", label: stateLabels.active },
  { value: "scheduled", label: stateLabels.scheduled },
  { value: "over", label: stateLabels.over },
];

export function MaintenancePage() {
  const { data: person } = useQuery(sessionQuery);
  const list = useListPage(windowsList, { columns: COLUMNS, filters: { state: "" } });
  return (
    <>
      <PageHeader title="Maintenance" headline={list.headline(windowsHeadline)}>
        {may.changeIncidents(person) && <ButtonLink href="/maintenance/new">New window</ButtonLink>}
      </PageHeader>
      <div className={classes.stack}>
        <ListTable
          list={list}
          label="Maintenance windows"
          noun="maintenance windows"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowHref={({ url }) => url}
          search="Search"
          filters={[{ name: "state", label: "State", choices: STATE_CHOICES }]}
          none={
            <EmptyState title="No maintenance windows.">
              A window mutes notifications, new incidents or tests of planned work.
            </EmptyState>
          }
        />
        {list.site !== undefined && may.changeIncidents(person) && <CalendarPanel site={list.site} />}
      </div>
    </>
  );
}

function windowsHeadline(windows: readonly MaintenanceWindow[]): string {
  const active = windows.filter(({ state }) => state === "active");
  const next = windows.filter(({ state }) => state === "scheduled").length;
  if (active.length === 0) return `Nothing is in maintenance, ${count(next, "window")} scheduled.`;
  return `In maintenance: ${active.map(({ name }) => name).join(", ")}; ${count(next, "window")} scheduled.`;
}
