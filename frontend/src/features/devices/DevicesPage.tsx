/** Nodes of the site: state, agent, uptime and clock offset. */
import { useQuery } from "@tanstack/react-query";
import { nodesQuery } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
import type { Node } from "@/api/types";
import { devicesHeadline, matches } from "./filter";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, STATE_CHOICES, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table";
import { duration, offset } from "@/util/units";

const KIND_CHOICES = [
  { value: "", label: "all kinds" },
  { value: "host", label: "hosts" },
  { value: "gateway", label: "gateways" },
  { value: "router", label: "routers" },
  { value: "switch", label: "switches" },
] as const;

const COLUMNS: readonly Column<Node>[] = [
  { id: "name", header: "name", value: ({ name }) => name, cell: ({ name }) => name },
  { id: "state", header: "state", value: ({ state }) => state, cell: (node) => <DeviceState node={node} /> },
  { id: "state_text", header: "status", value: ({ state_text }) => state_text },
  { id: "title", header: "description", value: ({ title }) => title, wide: true },
  { id: "kind", header: "kind", value: ({ kind }) => kind, wide: true },
  {
    id: "node_number",
    header: "node no.",
    align: "right",
    value: ({ node_number }) => node_number,
    wide: true,
  },
  {
    id: "agent",
    header: "collected by",
    value: ({ agent }) => agent,
    cell: ({ agent }) => agent ?? <span className="dim">no agent</span>,
    wide: true,
  },
  {
    id: "uptime",
    header: "uptime",
    csvHeader: "uptime (s)",
    align: "right",
    value: ({ uptime_s }) => uptime_s,
    cell: ({ uptime_s }) => duration(uptime_s),
    wide: true,
  },
  {
    id: "clock",
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
  const site = useSite();
  const [sort, setSort] = useParam("sort", "name");
  const [q, setQ] = useParam("q", "");
  const [state, setState] = useParam("state", "");
  const [kind, setKind] = useParam("kind", "");
  const nodes = useQuery({ ...nodesQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="Devices" headline={nodes.data === undefined ? "" : devicesHeadline(nodes.data)} />
      <QueryBoundary query={nodes} what="the devices">
        {(rows) => (
          <DataTable
            label="Devices"
            noun="devices"
            rows={rows.filter((node) => matches(node, { q, state, kind }))}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHref={({ url }) => url}
            sort={sort}
            onSort={setSort}
            tools={
              <>
                <TextFilter label="Filter by name" value={q} onChange={setQ} />
                <ChoiceFilter label="State" value={state} choices={STATE_CHOICES} onChange={setState} />
                <ChoiceFilter label="Kind" value={kind} choices={KIND_CHOICES} onChange={setKind} />
              </>
            }
            empty={
              rows.length === 0 ? (
                <EmptyState title="No devices defined.">
                  Define the nodes in a site file and import it.
                </EmptyState>
              ) : (
                <EmptyState title="No devices match these filters.">
                  Clear a filter to see all {rows.length}.
                </EmptyState>
              )
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
