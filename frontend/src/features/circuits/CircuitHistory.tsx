/** Versions of one circuit: since when it has these hops, labels and shapes. */
import { circuitHistory } from "@/api/circuits";
import { usePages } from "@/api/useListPage";
import { VERSION_COLUMNS } from "./versions";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/table/DataTable";

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
