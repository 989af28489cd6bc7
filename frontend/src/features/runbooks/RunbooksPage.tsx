/** All runbooks with the incidents that they are for. */
import { RUNBOOKS, type Runbook } from "./runbooks";
import { PageHeader } from "@/ui/PageHeader";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<Runbook>[] = [
  { id: "title", header: "runbook", value: ({ title }) => title, cell: ({ title }) => title, wraps: true },
  {
    id: "kinds",
    header: "incidents",
    value: ({ kinds }) => kinds.join("; "),
    cell: ({ kinds }) => kinds.join("; "),
    wide: true,
  },
];

export function RunbooksPage() {
  return (
    <>
      <PageHeader
        title="Runbooks"
        headline={`${RUNBOOKS.length} runbooks: how to verify and remedy each kind of incident.`}
      />
      <DataTable
        label="Runbooks"
        noun="runbooks"
        rows={RUNBOOKS}
        columns={COLUMNS}
        rowKey={({ name }) => name}
        rowHref={({ name }) => `/runbooks/${name}`}
        empty={null}
      />
    </>
  );
}
