/** Settings: agents, their state and spool, enrolment and revocation. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { agentsQuery, sessionQuery } from "@/api/queries";
import { may } from "@/api/may";
import { useParam, useSite } from "@/api/scope";
import type { Agent } from "@/api/types";
import classes from "./AgentsPage.module.css";
import { Enrol } from "./Enrol";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { confirm } from "@/ui/confirm";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { count, offset } from "@/util/units";

const COLUMNS: readonly Column<Agent>[] = [
  { id: "name", header: "agent", value: ({ name }) => name },
  { id: "node", header: "node", value: ({ node }) => node, wide: true },
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
    header: "status",
    value: ({ revoked, state_text }) => (revoked ? "revoked" : state_text),
  },
  { id: "sources", header: "collected via", value: ({ sources }) => sources.join(", "), wide: true },
  {
    id: "clock",
    header: "clock offset",
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
  header: "access",
  value: () => null,
  cell: (agent) => (agent.revoked ? "" : <Revoke agent={agent} />),
  wide: true,
};

function headline(agents: readonly Agent[]): string {
  const working = agents.filter(({ revoked }) => !revoked);
  const reporting = working.filter(({ state }) => state === "ok").length;
  const dropped = working.filter(({ spool_dropped }) => spool_dropped > 0).length;
  const first =
    reporting === working.length
      ? `All ${count(working.length, "agent")} report`
      : `${reporting} of ${count(working.length, "agent")} report`;
  return `${first}${dropped > 0 ? `, ${dropped} dropped reports` : ", no reports dropped"}.`;
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
                <EmptyState title="No agents enrolled.">
                  {isAdmin
                    ? "Create an enrolment token above and run the command on the host."
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

function Revoke({ agent: { id, name, node } }: { agent: Agent }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => unwrap(client.POST("/api/v1/agents/{id}/revoke", { params: { path: { id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["agents"] });
      notify("good", `Access of ${name} revoked. To restore it, create a token and enrol the agent again.`);
    },
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={revoke.isPending}
      onClick={() =>
        confirm({
          title: `Revoke access of ${name}?`,
          consequence: `${node} stops reporting through this agent. To restore access, the agent must be enrolled again.`,
          action: "Revoke access",
          onConfirm: () => revoke.mutate(),
        })
      }
    >
      Revoke<span className="visually-hidden"> {name}</span>
    </Button>
  );
}
