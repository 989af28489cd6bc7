/** The first ports of a fabric, by load or by errors. */
import type { Port } from "@/api/types";
import classes from "./FabricPage.module.css";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { amount } from "@/util/units";

const errorsOf = (port: Port): number | null =>
  port.in_errors_ps === null && port.out_errors_ps === null
    ? null
    : (port.in_errors_ps ?? 0) + (port.out_errors_ps ?? 0);

const COLUMNS: readonly Column<Port>[] = [
  { id: "name", header: "port", value: ({ node, name }) => `${node}:${name}` },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  {
    id: "in",
    header: "in",
    csvHeader: "in (bit/s)",
    align: "right",
    value: ({ in_bps }) => in_bps,
    cell: (port) => (
      <RateCell bps={port.in_bps} utilisation={port.in_utilisation} fresh={port.state !== "unknown"} />
    ),
  },
  {
    id: "out",
    header: "out",
    csvHeader: "out (bit/s)",
    align: "right",
    value: ({ out_bps }) => out_bps,
    cell: (port) => (
      <RateCell bps={port.out_bps} utilisation={port.out_utilisation} fresh={port.state !== "unknown"} />
    ),
  },
  {
    id: "errors",
    header: "errors/s",
    align: "right",
    value: errorsOf,
    cell: (port) => amount(errorsOf(port)),
  },
];

export function FabricPorts({ fabric, ports, all }: { fabric: string; ports: readonly Port[]; all: number }) {
  return (
    <>
      <DataTable
        label={`Ports on ${fabric}`}
        noun="ports"
        rows={ports}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        empty={<EmptyState title="No ports on this fabric.">Ports are assigned in the site file.</EmptyState>}
      />
      {ports.length < all && (
        <p className={`${classes.note} dim`}>
          The first {ports.length} of {all}.
        </p>
      )}
    </>
  );
}
