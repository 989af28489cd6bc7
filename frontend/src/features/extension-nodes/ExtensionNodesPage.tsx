/** Gateways attached to an SP switch. */
import { extensionNodesList, type ExtensionNode } from "@/api/extension-nodes";
import { useListPage } from "@/api/useListPage";
import { nodesHeadline } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { NONE } from "@/util/units";

const COLUMNS: readonly Column<ExtensionNode>[] = [
  { id: "name", sortable: true, header: "extension node", value: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  {
    id: "place",
    sortable: true,
    header: "switch port",
    value: ({ place }) => place,
    cell: ({ place }) => <span className={classes.place}>{place === "" ? NONE : place}</span>,
  },
  {
    id: "node_number",
    sortable: true,
    header: "node",
    align: "right",
    value: ({ node_number }) => node_number,
    cell: ({ node_number }) => node_number ?? NONE,
    wide: true,
  },
  {
    id: "switch_node_number",
    sortable: true,
    header: "switch node",
    align: "right",
    value: ({ switch_node_number }) => switch_node_number,
    cell: ({ switch_node_number }) => switch_node_number ?? NONE,
    wide: true,
  },
  {
    id: "address",
    sortable: true,
    header: "address",
    value: ({ address }) => address,
    cell: ({ address }) => <span className="mono">{address ?? NONE}</span>,
    wide: true,
  },
  { id: "arp", header: "switch ARP", value: ({ arp }) => (arp ? "on" : "off"), wide: true },
  {
    id: "reported",
    sortable: true,
    header: "last reported",
    value: ({ age_s }) => age_s,
    cell: ({ reported_at }) => <AgeStamp at={reported_at} suffix="ago" />,
    wide: true,
  },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
];

const ATTACH = (
  <ButtonLink size="xs" href="/extension-nodes/attach">
    Attach a gateway
  </ButtonLink>
);

export function ExtensionNodesPage() {
  const list = useListPage(extensionNodesList, { columns: COLUMNS, sort: "state" });
  return (
    <>
      <PageHeader title="Extension nodes" headline={list.headline(nodesHeadline)}>
        {ATTACH}
      </PageHeader>
      <ListTable
        list={list}
        label="Extension nodes"
        noun="extension nodes"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        none={
          <EmptyState title="No extension nodes." command="python manage.py import_site site.yaml">
            Gateways with the <code>extension</code> key in the site file are listed here. {ATTACH}
          </EmptyState>
        }
      />
    </>
  );
}
