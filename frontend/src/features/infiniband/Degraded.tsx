/** Ports below the width or speed supported by both ends. */
import type { InfinibandHealth } from "@/api/types";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import type { Column } from "@/ui/table/columns";
import { formatLanes } from "./labels";

type DegradedPort = InfinibandHealth["degraded"][number];

const COLUMNS: readonly Column<DegradedPort>[] = [
  { id: "port", header: "port", value: ({ node, port }) => `${node}:${port}` },
  {
    id: "below",
    header: "degraded",
    value: ({ width, speed }) => [width && "width", speed && "speed"].filter(Boolean).join(" and "),
  },
  { id: "running", header: "running", value: ({ running }) => formatLanes(running) },
];

export function Degraded({ ports }: { ports: readonly DegradedPort[] }) {
  return (
    <DataTable
      label="Degraded ports"
      noun="ports"
      rows={ports}
      columns={COLUMNS}
      rowKey={({ node, port }) => `${node}:${port}`}
      rowHref={({ url }) => url}
      empty={<EmptyState title="Every link runs at full width and speed." />}
    />
  );
}
