/** Versions of one circuit: since when it has these hops, labels and shapes. */
import { circuitHistory, type CircuitVersion } from "@/api/circuits";
import { usePages } from "@/api/useListPage";
import { describePath, describeShapes, formatLabels } from "./circuits";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import type { Column } from "@/ui/table/columns";
import { DataTable } from "@/ui/table/DataTable";
import { clock } from "@/util/time";

export const VERSION_COLUMNS: readonly Column<CircuitVersion>[] = [
  {
    id: "since",
    sortable: true,
    header: "declared since",
    value: ({ since }) => since,
    cell: ({ since }) => <span className="num">{since === null ? "before the record" : clock(since)}</span>,
  },
  {
    id: "until",
    sortable: true,
    header: "until",
    value: ({ until }) => until,
    cell: ({ until }) => <span className="num">{until === null ? "now" : clock(until)}</span>,
  },
  {
    id: "labels",
    sortable: true,
    header: "labels",
    value: formatLabels,
    cell: (version) => <span className="mono">{formatLabels(version)}</span>,
  },
  {
    id: "path",
    header: "hops",
    value: describePath,
    cell: (version) => <span className="mono">{describePath(version)}</span>,
    wide: true,
  },
  { id: "shape", header: "traffic shape", value: ({ hops }) => describeShapes(hops), wide: true },
  { id: "note", header: "note", value: ({ note }) => note || "none", wide: true },
];

/** In order of time: the panel has no other. */
const COLUMNS = VERSION_COLUMNS.map((column) => ({ ...column, sortable: false }));

export function CircuitHistory({ site, name }: { site: string; name: string }) {
  const { query, rest } = usePages(circuitHistory(site, { name }));
  return (
    <Panel title="History">
      <QueryBoundary query={query} what="the history of this circuit">
        {(rows) => (
          <DataTable
            isPlain
            label={`Versions of ${name}`}
            noun="versions"
            rows={rows}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rest={rest}
            empty={<p className="dim">No import of this circuit is recorded.</p>}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
