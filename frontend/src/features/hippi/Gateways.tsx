/** HIPPI-SONET gateways: hold times, waiting packets and drops. */
import type { HippiGateway } from "@/api/types";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { amount, milliseconds, NONE, percent } from "@/util/units";

const COLUMNS: readonly Column<HippiGateway>[] = [
  { id: "node", header: "gateway", value: ({ node }) => node, cell: ({ node }) => node },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: "hold",
    header: "hold time h",
    csvHeader: "hold time (ticks)",
    value: ({ hold_ticks }) => hold_ticks,
    cell: ({ hold_time }) => hold_time,
  },
  {
    id: "bf",
    header: "blocking factor",
    csvHeader: "blocking factor (ms)",
    align: "right",
    value: ({ blocking_factor_ms }) => blocking_factor_ms,
    cell: ({ blocking_factor_ms }) => milliseconds(blocking_factor_ms),
  },
  {
    id: "waiting",
    header: "waiting",
    align: "right",
    value: ({ waiting }) => waiting,
    cell: ({ waiting }) => percent(waiting),
  },
  {
    id: "given_up",
    header: "timeouts/s",
    align: "right",
    value: ({ given_up_ps }) => given_up_ps,
    cell: ({ given_up_ps }) => amount(given_up_ps),
  },
  {
    id: "refused",
    header: "refused/s",
    align: "right",
    value: ({ refused_ps }) => refused_ps,
    cell: ({ refused_ps }) => amount(refused_ps),
    wide: true,
  },
  {
    id: "full",
    header: "buffer full/s",
    align: "right",
    value: ({ buffer_full_ps }) => buffer_full_ps,
    cell: ({ buffer_full_ps }) => amount(buffer_full_ps),
    wide: true,
  },
  {
    id: "stop",
    header: "stop requests/s",
    align: "right",
    value: ({ stop_requests_ps }) => stop_requests_ps,
    cell: ({ stop_requests_ps }) => amount(stop_requests_ps),
    wide: true,
  },
  {
    id: "line",
    header: "SONET line",
    value: ({ line }) => line,
    cell: ({ line }) => line || NONE,
    wide: true,
  },
];

export function Gateways({ gateways }: { gateways: readonly HippiGateway[] }) {
  // The column is hidden when no gateway reports its line.
  const columns = gateways.some(({ line }) => line !== "")
    ? COLUMNS
    : COLUMNS.filter(({ id }) => id !== "line");
  return (
    <DataTable
      label="HIPPI-SONET gateways"
      noun="gateways"
      rows={gateways}
      columns={columns}
      rowKey={({ node_id }) => node_id}
      rowHref={({ url }) => url}
      empty={<EmptyState title="No HIPPI-SONET gateways on this fabric." />}
    />
  );
}
