/** Ports of HIPPI switches: rejected and queued connection requests of their sources. */
import type { HippiPort } from "@/api/types";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { amount, NONE } from "@/util/units";

const COLUMNS: readonly Column<HippiPort>[] = [
  { id: "port", header: "port", value: ({ node, port }) => (port === "" ? node : `${node}:${port}`) },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, device_state }) => <StateBadge state={state} text={device_state} />,
  },
  {
    id: "word",
    header: "device state",
    value: ({ device_state }) => device_state,
    cell: ({ device_state }) => device_state || NONE,
    wide: true,
  },
  {
    id: "rejects",
    header: "rejects/s",
    align: "right",
    value: ({ rejects_ps }) => rejects_ps,
    cell: ({ rejects_ps }) => amount(rejects_ps),
  },
  {
    id: "camp_ons",
    header: "camp-ons/s",
    align: "right",
    value: ({ camp_ons_ps }) => camp_ons_ps,
    cell: ({ camp_ons_ps }) => amount(camp_ons_ps),
  },
  {
    id: "overruns",
    header: "overruns/s",
    align: "right",
    value: ({ overruns_ps }) => overruns_ps,
    cell: ({ overruns_ps }) => amount(overruns_ps),
    wide: true,
  },
];

export function SwitchPorts({ ports }: { ports: readonly HippiPort[] }) {
  return (
    <DataTable
      label="HIPPI switch ports"
      noun="ports"
      rows={ports}
      columns={COLUMNS}
      rowKey={({ node_id, port }) => `${node_id} ${port}`}
      rowHref={({ url }) => url}
      empty={<EmptyState title="No switch on this fabric reports its ports." />}
    />
  );
}
