/** Circuits as they were declared at a time, removed ones too. */
import { circuitHistory, type CircuitVersion } from "@/api/circuits";
import { useListPage } from "@/api/useListPage";
import { KIND_LABELS } from "./circuits";
import { VERSION_COLUMNS } from "./CircuitHistory";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState } from "@/ui/ErrorState";
import { TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { ListTable } from "@/ui/table/ListTable";
import type { Column } from "@/ui/table/columns";
import { count } from "@/util/units";

const COLUMNS: readonly Column<CircuitVersion>[] = [
  { id: "name", sortable: true, header: "circuit", value: ({ name }) => name },
  { id: "kind", sortable: true, header: "kind", value: ({ kind }) => KIND_LABELS[kind], wide: true },
  ...VERSION_COLUMNS,
];

export function HistoryPage() {
  const list = useListPage(circuitHistory, { columns: COLUMNS, sort: "name", filters: { at: "now-7d" } });
  const { at } = list.values;
  return (
    <>
      <PageHeader
        title="Circuits at a time"
        headline={list.headline((rows) => `${count(rows.length, "circuit")} declared at ${at}.`)}
      >
        <ButtonLink size="xs" href="/circuits">
          Current circuits
        </ButtonLink>
      </PageHeader>
      <ListTable
        list={list}
        label="Circuits at a time"
        noun="circuits"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url ?? undefined}
        search="Search by name, end or label"
        tools={
          <TextFilter
            label="Time, such as now-30d or 2026-05-01T14:00Z"
            value={at}
            onChange={(value) => list.set("at", value)}
          />
        }
        none={<EmptyState title="No circuits.">The site file declared none at {at}.</EmptyState>}
      />
    </>
  );
}
