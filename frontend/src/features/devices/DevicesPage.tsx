/** Nodes of the site: state, agent, uptime and clock offset. */
import { DEVICES } from "@/api/models/list-pages";
import { nodesList } from "@/api/queries";
import { usePast } from "@/api/scope";
import { usePlanMaintenance } from "@/api/models/maintenance-plan";
import { useListPage } from "@/api/useListPage";
import type { Node } from "@/api/types";
import { PlanMaintenance } from "@/ui/lists/PlanMaintenance";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { STATE_CHOICES } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { count, duration, offset, partOf } from "@/util/units";

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

const NOT_KEPT = "not kept";
const notKept = () => (
  <span className="dim" title="History does not keep this.">
    {NOT_KEPT}
  </span>
);

/** The columns of a past moment: what history does not keep is named and not sorted by. */
const PAST_COLUMNS = COLUMNS.map((column): Column<Node> => {
  if (column.id === "agent" || column.id === "clock_offset")
    return { ...column, sortable: false, value: () => NOT_KEPT, cell: notKept };
  if (column.id === "uptime")
    return {
      ...column,
      value: ({ uptime_s }) => uptime_s ?? NOT_KEPT,
      cell: ({ uptime_s }) => (uptime_s === null ? notKept() : duration(uptime_s)),
    };
  return column;
});

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
  const past = usePast();
  const columns = past === null ? COLUMNS : PAST_COLUMNS;
  const list = useListPage(nodesList, {
    ...(past === null ? {} : { fixed: { at: past.at } }),
    columns,
    ...DEVICES,
  });
  const plan = usePlanMaintenance("node", list.all);
  return (
    <>
      <PageHeader
        title="Devices"
        headline={list.headline(past === null ? devicesHeadline : pastDevicesHeadline)}
      />
      <ListTable
        list={list}
        label="Devices"
        noun="devices"
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        tools={
          plan && (
            <PlanMaintenance
              of="all matching devices"
              disabled={(list.query.data ?? []).length === 0}
              plan={plan}
            />
          )
        }
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

/** Devices that are known, and the names of those that are critical or in warning. */
function statesOf(nodes: readonly Node[]) {
  const bad = nodes
    .filter(({ state }) => state === "critical" || state === "warning")
    .map(({ name }) => name);
  return {
    known: nodes.filter(({ state }) => state !== "unknown").length,
    bad: bad.length,
    names: bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", "),
  };
}

/** How many devices report, and which need attention. */
function devicesHeadline(nodes: readonly Node[]): string {
  const { known, bad, names } = statesOf(nodes);
  const rest = bad === 0 ? "" : ` ${names} ${bad === 1 ? "needs" : "need"} attention.`;
  return known === nodes.length
    ? `All ${count(nodes.length, "device")} report.${rest}`
    : `${partOf(known, nodes.length, "device")} report.${rest}`;
}

/** How many devices were measured at that time, and which had an incident. */
export function pastDevicesHeadline(nodes: readonly Node[]): string {
  const { known, bad, names } = statesOf(nodes);
  if (known === 0) return `None of ${count(nodes.length, "device")} was measured at that time.`;
  const rest = bad === 0 ? "" : ` ${names} had an incident.`;
  return known === nodes.length
    ? `All ${count(nodes.length, "device")} were measured.${rest}`
    : `${partOf(known, nodes.length, "device")} measured.${rest}`;
}
