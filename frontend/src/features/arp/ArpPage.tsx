/** ARP by fabric: running state, policy and deployment. */
import { useQuery } from "@tanstack/react-query";
import { arpFabricsQuery, type ArpFabric } from "@/api/arp";
import { useSite } from "@/api/scope";
import { arpHeadline, RUNNING_LABELS } from "./arp";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<ArpFabric>[] = [
  { id: "fabric", header: "fabric", value: ({ fabric }) => fabric },
  {
    id: "running",
    header: "running",
    value: ({ running }) => running,
    cell: ({ state, running, state_text }) => (
      <StateLabel state={state} label={RUNNING_LABELS[running]} title={state_text} />
    ),
  },
  { id: "policy", header: "policy", value: ({ policy }) => policy?.mode ?? "none" },
  {
    id: "deployed",
    header: "deployed",
    value: ({ policy }) => policy?.confirmed ?? -1,
    cell: ({ policy }) =>
      policy === null ? (
        <span className="dim">no policy</span>
      ) : (
        <StateLabel
          state={policy.state}
          label={`${policy.confirmed} of ${policy.managed}`}
          title={policy.state_text}
        />
      ),
  },
  { id: "declared", header: "site file", value: ({ declared }) => declared, wide: true },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
];

export function ArpPage() {
  const site = useSite();
  const query = useQuery({ ...arpFabricsQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="ARP" headline={query.data === undefined ? "" : arpHeadline(query.data)} />
      <QueryBoundary query={query} what="ARP by fabric">
        {(rows) => (
          <DataTable
            label="ARP by fabric"
            noun="fabrics"
            rows={rows}
            columns={COLUMNS}
            rowKey={({ fabric_id }) => fabric_id}
            rowHref={({ fabric }) => `/arp/${encodeURIComponent(fabric)}`}
            empty={<EmptyState title="No fabrics.">Declare fabrics in the site file.</EmptyState>}
          />
        )}
      </QueryBoundary>
    </>
  );
}
