/** Settings, agents: who reports from where, how well, and letting another one in. */
import { useQuery } from "@tanstack/react-query";
import { agentsQuery, sessionQuery } from "@/api/queries";
import { may } from "@/api/may";
import { useParam, useSite } from "@/api/scope";
import type { Agent } from "@/api/types";
import classes from "./AgentsPage.module.css";
import { Enrol } from "./Enrol";
import { Revoke } from "./Revoke";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { count, offset } from "@/util/units";

const COLUMNS: readonly Column<Agent>[] = [
  { id: "name", header: "agent", value: ({ name }) => name },
  { id: "node", header: "on node", value: ({ node }) => node, wide: true },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text, revoked }) => (
      <StateBadge state={revoked ? "disabled" : state} text={revoked ? "revoked" : state_text} />
    ),
  },
  {
    id: "state_text",
    header: "in words",
    value: ({ revoked, state_text }) => (revoked ? "revoked" : state_text),
  },
  { id: "sources", header: "watches by", value: ({ sources }) => sources.join(", "), wide: true },
  {
    id: "clock",
    header: "clock",
    csvHeader: "clock offset (s)",
    align: "right",
    value: ({ clock_offset_s }) => clock_offset_s,
    cell: ({ clock_offset_s }) => offset(clock_offset_s),
    wide: true,
  },
  {
    id: "waiting",
    header: "reports waiting",
    align: "right",
    value: ({ spool_waiting }) => spool_waiting,
    wide: true,
  },
  {
    id: "dropped",
    header: "dropped",
    align: "right",
    value: ({ spool_dropped }) => spool_dropped,
    wide: true,
  },
  { id: "version", header: "version", value: ({ version }) => version, wide: true },
];

const REVOKE: Column<Agent> = {
  id: "revoke",
  header: "shut out",
  value: () => null,
  cell: (agent) => (agent.revoked ? "" : <Revoke agent={agent} />),
  wide: true,
};

function headline(agents: readonly Agent[]): string {
  const working = agents.filter(({ revoked }) => !revoked);
  const heard = working.filter(({ state }) => state === "ok").length;
  const dropped = working.filter(({ spool_dropped }) => spool_dropped > 0).length;
  const first =
    heard === working.length
      ? `All ${count(working.length, "agent")} report`
      : `${heard} of ${count(working.length, "agent")} report`;
  return `${first}${dropped > 0 ? `, ${dropped} had to drop reports` : ", no report was dropped"}.`;
}

export function AgentsPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "name");
  const { data: person } = useQuery(sessionQuery);
  const agents = useQuery({ ...agentsQuery(site?.name ?? ""), enabled: site !== undefined });
  const isAdmin = may.enrol(person);
  return (
    <>
      <PageHeader
        title="Settings: agents"
        headline={agents.data === undefined ? "" : headline(agents.data)}
      />
      <div className={classes.page}>
        {isAdmin && site !== undefined && <Enrol site={site.name} />}
        <QueryBoundary query={agents} what="the agents">
          {(rows) => (
            <DataTable
              label="Agents"
              noun="agents"
              rows={rows}
              columns={isAdmin ? [...COLUMNS, REVOKE] : COLUMNS}
              rowKey={({ id }) => id}
              sort={sort}
              onSort={setSort}
              empty={
                <EmptyState title="No agent has enrolled yet.">
                  {isAdmin
                    ? "Create an enrolment token above and give it to the agent on the host."
                    : "An administrator creates an enrolment token for each host."}
                </EmptyState>
              }
            />
          )}
        </QueryBoundary>
      </div>
    </>
  );
}
