/** Nodes of the site: state, agent, uptime and clock offset. */
import { nodesList } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import type { Node } from "@/api/types";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { STATE_CHOICES } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { duration, offset } from "@/util/units";

const KIND_CHOICES = [
  { value: "", label: "all kinds" },
  { value: "host", label: "hosts" },
  { value: "gateway", label: "gateways" },
  { value: "router", label: "routers" },
  { value: "switch", label: "switches" },
] as const;

const COLUMNS: readonly Column<Node>[] = [
  { id: "name", sortable: true, header: "name", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: (node) => <DeviceState node={node} />,
  },
  { id: "state_text", header: "status", value: ({ state_text }) => state_text },
  { id: "title", header: "description", value: ({ title }) => title, wide: true },
  { id: "kind", sortable: true, header: "kind", value: ({ kind }) => kind, wide: true },
  {
    id: "node_number",
    sortable: true,
    header: "node no.",
    align: "right",
    value: ({ node_number }) => node_number,
    wide: true,
  },
  {
    id: "agent",
    sortable: true,
    header: "collected by",
    value: ({ agent }) => agent,
    cell: ({ agent }) => agent ?? <span className="dim">no agent</span>,
    wide: true,
  },
  {
    id: "uptime",
    sortable: true,
    header: "uptime",
    csvHeader: "uptime (s)",
    align: "right",
    value: ({ uptime_s }) => uptime_s,
    cell: ({ uptime_s }) => duration(uptime_s),
    wide: true,
  },
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
];

function DeviceState({ node: { state, state_text, clock_text } }: { node: Node }) {
  return (
    <>
      <StateBadge state={state} text={state_text} />
      {clock_text !== "" && (
        <StateLabel
          state="warning"
          label={clock_text}
          title="The clock of this node is wrong; its data is timed by the server's clock."
        />
      )}
    </>
  );
}

export function DevicesPage() {
  const list = useListPage(nodesList, { columns: COLUMNS, sort: "name", filters: { state: "", kind: "" } });
  return (
    <>
      <PageHeader title="Devices" headline={list.headline(devicesHeadline)} />
      <ListTable
        list={list}
        label="Devices"
        noun="devices"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        search="Search by name"
        filters={[
          { name: "state", label: "State", choices: STATE_CHOICES },
          { name: "kind", label: "Kind", choices: KIND_CHOICES },
        ]}
        none={
          <EmptyState title="No devices defined." command="python manage.py import_site site.yaml">
            Define the nodes in a site file and import it.
          </EmptyState>
        }
      />
    </>
  );
}

/** How many devices report, and which need attention. */
function devicesHeadline(nodes: readonly Node[]): string {
  const reporting = nodes.filter(({ state }) => state !== "unknown").length;
  const bad = nodes
    .filter(({ state }) => state === "critical" || state === "warning")
    .map(({ name }) => name);
  const names = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const rest = bad.length === 0 ? "" : ` ${names} ${bad.length === 1 ? "needs" : "need"} attention.`;
  return reporting === nodes.length
    ? `All ${nodes.length} devices report.${rest}`
    : `${reporting} of ${nodes.length} devices report.${rest}`;
}
