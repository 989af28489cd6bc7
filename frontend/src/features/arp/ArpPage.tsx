/** ARP by fabric: running state, policy and deployment. */
import { arpFabricsList, type ArpFabric } from "@/api/arp";
import { useListPage } from "@/api/useListPage";
import { arpHeadline, RUNNING_LABELS } from "./arp";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<ArpFabric>[] = [
  { id: "fabric", sortable: true, header: "fabric", value: ({ fabric }) => fabric },
  {
    id: "running",
    header: "running",
    value: ({ running }) => running,
    cell: ({ state, running, state_text }) => (
      <StateLabel state={state} label={RUNNING_LABELS[running]} title={state_text} />
    ),
  },
  { id: "policy", sortable: true, header: "policy", value: ({ policy }) => policy?.mode ?? "none" },
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
  { id: "declared", sortable: true, header: "site file", value: ({ declared }) => declared, wide: true },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
];

export function ArpPage() {
  const list = useListPage(arpFabricsList, { columns: COLUMNS, sort: "fabric" });
  return (
    <>
      <PageHeader title="ARP" headline={list.headline(arpHeadline)} />
      <ListTable
        list={list}
        label="ARP by fabric"
        noun="fabrics"
        columns={COLUMNS}
        rowKey={({ fabric_id }) => fabric_id}
        rowHref={({ fabric }) => `/arp/${encodeURIComponent(fabric)}`}
        search="Search by fabric"
        none={
          <EmptyState title="No fabrics." command="python manage.py import_site site.yaml">
            Declare fabrics in the site file.
          </EmptyState>
        }
      />
    </>
  );
}
