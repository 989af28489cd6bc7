/** Ports that run below the width or speed that both their ends could. */
import type { InfinibandHealth } from "@/api/types";
import { useParam } from "@/api/scope";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import type { Column } from "@/ui/table";
import { formatLanes } from "./lanes";

type DegradedPort = InfinibandHealth["degraded"][number];

const COLUMNS: readonly Column<DegradedPort>[] = [
  { id: "port", header: "port", value: ({ node, port }) => `${node}:${port}` },
  {
    id: "below",
    header: "below its",
    value: ({ width, speed }) => [width && "width", speed && "speed"].filter(Boolean).join(" and "),
  },
  { id: "running", header: "runs at", value: ({ running }) => formatLanes(running) },
];

export function Degraded({ ports }: { ports: readonly DegradedPort[] }) {
  const [sort, setSort] = useParam("degraded", "port");
  return (
    <DataTable
      label="Degraded ports"
      noun="ports"
      rows={ports}
      columns={COLUMNS}
      rowKey={({ node, port }) => `${node}:${port}`}
      rowHref={({ url }) => url}
      sort={sort}
      onSort={setSort}
      step={100}
      empty={<EmptyState title="Every link runs at its full width and speed." />}
    />
  );
}
