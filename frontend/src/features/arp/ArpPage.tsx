/** ARP fabric by fabric: what its nodes run, what is wanted, how far that is brought about. */
import { useQuery } from "@tanstack/react-query";
import { arpFabricsQuery, type ArpFabric } from "@/api/arp";
import { useParam, useSite } from "@/api/scope";
import { arpHeadline, RUNNING_LABELS } from "./arp";
import { Answer } from "@/ui/Answer";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateWord } from "@/ui/StateWord";
import type { Column } from "@/ui/table";

const COLUMNS: readonly Column<ArpFabric>[] = [
  { id: "fabric", header: "fabric", value: ({ fabric }) => fabric },
  {
    id: "running",
    header: "ARP runs",
    value: ({ running }) => running,
    cell: ({ state, running, state_text }) => (
      <StateWord state={state} word={RUNNING_LABELS[running]} title={state_text} />
    ),
  },
  { id: "policy", header: "policy", value: ({ policy }) => policy?.mode ?? "none" },
  {
    id: "standing",
    header: "brought about",
    value: ({ policy }) => policy?.confirmed ?? -1,
    cell: ({ policy }) =>
      policy === null ? (
        <span className="dim">no policy</span>
      ) : (
        <StateWord
          state={policy.state}
          word={`${policy.confirmed} of ${policy.managed}`}
          title={policy.state_text}
        />
      ),
  },
  { id: "declared", header: "site file says", value: ({ declared }) => declared, wide: true },
  { id: "words", header: "in words", value: ({ state_text }) => state_text, wide: true },
];

export function ArpPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "fabric");
  const asked = useQuery({ ...arpFabricsQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="ARP" headline={asked.data === undefined ? "" : arpHeadline(asked.data)} />
      <Answer asked={asked} what="ARP of the fabrics">
        {(rows) => (
          <DataTable
            label="ARP by fabric"
            noun="fabrics"
            rows={rows}
            columns={COLUMNS}
            rowKey={({ fabric_id }) => fabric_id}
            rowHref={({ fabric }) => `/arp/${encodeURIComponent(fabric)}`}
            sort={sort}
            onSort={setSort}
            empty={<EmptyState title="No fabric yet.">Fabrics come from the site file.</EmptyState>}
          />
        )}
      </Answer>
    </>
  );
}
