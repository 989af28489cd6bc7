/** One drill: results by node, or the reasons of its refusal. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "react-router";
import { client, unwrap } from "@/api/client";
import { drillQuery } from "@/api/failover";
import type { Drill } from "@/api/types";
import { drillTone, memberTone } from "./drills";
import classes from "./DrillsPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { count, duration, milliseconds, percent, rate } from "@/util/units";

type Member = Drill["members"][number];

const COLUMNS: readonly Column<Member>[] = [
  { id: "node", header: "node", value: ({ node }) => node, cell: ({ node }) => node },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, detail }) => <StateLabel state={memberTone(state)} label={state} title={detail} />,
  },
  { id: "gateway", header: "gateway", value: ({ gateway }) => gateway },
  {
    id: "out",
    header: "outage (move)",
    csvHeader: "outage of the move (ms)",
    align: "right",
    value: ({ outage_out_ms }) => outage_out_ms,
    cell: ({ outage_out_ms }) => milliseconds(outage_out_ms),
  },
  {
    id: "back",
    header: "outage (return)",
    csvHeader: "outage of the return (ms)",
    align: "right",
    value: ({ outage_back_ms }) => outage_back_ms,
    cell: ({ outage_back_ms }) => milliseconds(outage_back_ms),
  },
  {
    id: "rtt",
    header: "fallback RTT",
    csvHeader: "fallback RTT (ms)",
    align: "right",
    value: ({ rtt_ms }) => rtt_ms,
    cell: ({ rtt_ms }) => milliseconds(rtt_ms),
  },
  { id: "detail", header: "status", value: ({ detail }) => detail, wide: true },
];

export function DrillPage() {
  const id = Number(useParams().id);
  const drill = useQuery(drillQuery(id));
  return (
    <QueryBoundary query={drill} what="this drill" page="Drill">
      {(data) => <Details drill={data} />}
    </QueryBoundary>
  );
}

function Details({ drill }: { drill: Drill }) {
  const { name, policy, state, state_text, refused_because, members, may_cancel } = drill;
  return (
    <>
      <PageHeader
        title={`${name}: ${policy}`}
        headline={state_text}
        aside={<StateLabel state={drillTone(state)} label={state} />}
      >
        {may_cancel && <Cancel id={drill.id} />}
      </PageHeader>
      <div className={classes.page} data-testid="drill" data-drill-state={state}>
        {refused_because.length > 0 && (
          <Panel title="Reasons for refusal">
            <ul aria-label="Reasons for refusal">
              {refused_because.map((reason) => (
                <li key={reason} className={classes.error}>
                  {reason}
                </li>
              ))}
            </ul>
          </Panel>
        )}
        <Panel title="About">
          <Facts facts={factsOf(drill)} />
        </Panel>
        <DataTable
          label="Nodes of the drill"
          noun="nodes"
          rows={members}
          columns={COLUMNS}
          rowKey={({ path_id }) => path_id}
          rowHref={({ node }) => `/paths?node=${encodeURIComponent(node)}`}
          empty={
            <EmptyState title="No node moved.">
              {state === "scheduled" ? "It has not started yet." : "No node was changed."}
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

function factsOf({
  policy,
  policy_id,
  gateway,
  nodes,
  at,
  seconds,
  every_days,
  author,
  cancelled_by,
  reason,
  worst_outage_ms,
  fallback_bps,
  fallback_utilisation,
}: Drill): Fact[] {
  const facts: Fact[] = [
    [
      "policy",
      <Anchor key="policy" href={`/policies/${policy_id}`}>
        {policy}
      </Anchor>,
    ],
    ["gateway", gateway === "" ? "next gateway of each node" : gateway],
    ["nodes", nodes.length === 0 ? "all nodes of the policy" : nodes.join(", ")],
    ["start", `${clock(at)}${every_days === null ? "" : `, every ${count(every_days, "day")}`}`],
    ["duration", duration(seconds)],
    ["author", author],
  ];
  if (cancelled_by !== "") facts.push(["cancelled by", cancelled_by]);
  if (worst_outage_ms !== null) facts.push(["worst outage", milliseconds(worst_outage_ms)]);
  if (fallback_bps !== null)
    facts.push([
      "fallback peak (1 s)",
      `${rate(fallback_bps)}, ${percent(fallback_utilisation)} utilisation`,
    ]);
  if (reason !== "") facts.push(["reason", reason]);
  return facts;
}

function Cancel({ id }: { id: number }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => unwrap(client.DELETE("/api/v1/drills/{id}", { params: { path: { id } } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["drills"] }),
  });
  return (
    <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel drill
    </Button>
  );
}
