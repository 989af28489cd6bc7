/** Settings: agents, their state and spool, enrolment and revocation. */
import { useMemo } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { agentsList, sessionQuery } from "@/api/queries";
import { may } from "@/api/permissions";
import { useListPage } from "@/api/useListPage";
import type { Agent } from "@/api/types";
import classes from "./AgentsPage.module.css";
import { Enrol } from "./Enrol";
import { Anchor } from "@/ui/Anchor";
import { ConfirmButton } from "@/ui/confirm";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { count, offset, partOf } from "@/util/units";

const COLUMNS: readonly Column<Agent>[] = [
  { id: "name", sortable: true, header: "agent", value: ({ name }) => name },
  { id: "node", sortable: true, header: "node", value: ({ node }) => node, wide: true },
  {
    id: "state",
    sortable: true,
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
    id: "clock_offset",
    sortable: true,
    header: "clock offset",
    csvHeader: "clock offset (s)",
    align: "right",
    value: ({ clock_offset_s }) => clock_offset_s,
    cell: ({ clock_offset_s }) => offset(clock_offset_s),
    wide: true,
  },
  {
    id: "spool_waiting",
    sortable: true,
    header: "reports waiting",
    align: "right",
    value: ({ spool_waiting }) => spool_waiting,
    wide: true,
  },
  {
    id: "spool_dropped",
    sortable: true,
    header: "dropped",
    align: "right",
    value: ({ spool_dropped }) => spool_dropped,
    wide: true,
  },
  {
    id: "reports_refused",
    sortable: true,
    header: "refused",
    align: "right",
    value: ({ reports_refused }) => reports_refused,
    wide: true,
  },
  {
    id: "reports_sanitised",
    sortable: true,
    header: "text replaced",
    align: "right",
    value: ({ reports_sanitised }) => reports_sanitised,
    wide: true,
  },
  { id: "version", sortable: true, header: "version", value: ({ version }) => version, wide: true },
];

const REVOKE: Column<Agent> = {
  id: "revoke",
  header: "access",
  isControl: true,
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
      : `${partOf(reporting, working.length, "agent")} report`;
  return `${first}${dropped > 0 ? `, ${dropped} dropped reports` : ", no reports dropped"}.`;
}

export function AgentsPage() {
  const { data: person } = useQuery(sessionQuery);
  const isAdmin = may.enrol(person);
  const columns = useMemo(() => (isAdmin ? [...COLUMNS, REVOKE] : COLUMNS), [isAdmin]);
  const list = useListPage(agentsList, { columns, sort: "name" });
  return (
    <>
      <PageHeader title="Settings: agents" headline={list.headline(headline)}>
        <Anchor href="/settings/storage">Storage</Anchor>
      </PageHeader>
      <div className={classes.page}>
        {isAdmin && list.site !== undefined && <Enrol site={list.site} />}
        <ListTable
          list={list}
          label="Agents"
          noun="agents"
          columns={columns}
          rowKey={({ id }) => id}
          none={
            <EmptyState title="No agents enrolled.">
              {isAdmin
                ? "Create an enrolment token above and run the command on the host."
                : "An administrator creates an enrolment token for each host."}
            </EmptyState>
          }
        />
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
    <ConfirmButton
      size="compact-xs"
      isBusy={revoke.isPending}
      title={`Revoke access of ${name}?`}
      consequence={`${node} stops reporting through this agent. To restore access, the agent must be enrolled again.`}
      action="Revoke access"
      onConfirm={() => revoke.mutate()}
    >
      Revoke<span className="visually-hidden"> {name}</span>
    </ConfirmButton>
  );
}
