/** Gateways attached to an SP switch. */
import { useQuery } from "@tanstack/react-query";
import { extensionNodesQuery, type ExtensionNode } from "@/api/extension-nodes";
import { useParam, useSite } from "@/api/scope";
import { nodesHeadline } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { NONE } from "@/util/units";

const WORST: Record<ExtensionNode["state"], number> = {
  critical: 0,
  warning: 1,
  unknown: 2,
  disabled: 3,
  ok: 4,
};

const COLUMNS: readonly Column<ExtensionNode>[] = [
  { id: "name", header: "extension node", value: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => WORST[state],
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  {
    id: "place",
    header: "switch port",
    value: ({ place }) => place,
    cell: ({ place }) => <span className={classes.place}>{place === "" ? NONE : place}</span>,
  },
  {
    id: "node_number",
    header: "node",
    align: "right",
    value: ({ node_number }) => node_number ?? -1,
    cell: ({ node_number }) => node_number ?? NONE,
    wide: true,
  },
  {
    id: "switch_node_number",
    header: "switch node",
    align: "right",
    value: ({ switch_node_number }) => switch_node_number ?? -1,
    cell: ({ switch_node_number }) => switch_node_number ?? NONE,
    wide: true,
  },
  {
    id: "address",
    header: "address",
    value: ({ address }) => address ?? "",
    cell: ({ address }) => <span className="mono">{address ?? NONE}</span>,
    wide: true,
  },
  { id: "arp", header: "switch ARP", value: ({ arp }) => (arp ? "on" : "off"), wide: true },
  {
    id: "reported",
    header: "last reported",
    value: ({ age_s }) => age_s ?? Infinity,
    cell: ({ reported_at }) => <AgeStamp at={reported_at} suffix="ago" />,
    wide: true,
  },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
];

export function ExtensionNodesPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "state");
  const query = useQuery({ ...extensionNodesQuery(site?.name ?? ""), enabled: site !== undefined });
  const attach = (
    <ButtonLink size="xs" href="/extension-nodes/attach">
      Attach a gateway
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Extension nodes"
        headline={query.data === undefined ? "" : nodesHeadline(query.data)}
      >
        {attach}
      </PageHeader>
      <QueryBoundary query={query} what="the extension nodes">
        {(rows) => (
          <DataTable
            label="Extension nodes"
            noun="extension nodes"
            rows={rows}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHref={({ url }) => url}
            sort={sort}
            onSort={setSort}
            empty={
              <EmptyState title="No extension nodes.">
                Gateways with the <code>extension</code> key in the site file are listed here. {attach}
              </EmptyState>
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
