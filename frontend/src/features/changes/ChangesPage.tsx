/** The site's changes. */
import { changesList } from "@/api/failover";
import { useListPage } from "@/api/useListPage";
import type { Change } from "@/api/types";
import { changesHeadline, STATE_LABELS, stateTone } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const CHOICES = [
  { value: "", label: "any state" },
  { value: "current", label: "in progress" },
  ...(Object.entries(STATE_LABELS) as [Change["state"], string][]).map(([value, label]) => ({
    value,
    label,
  })),
] as const;

const COLUMNS: readonly Column<Change>[] = [
  {
    id: "name",
    sortable: true,
    header: "change",
    value: ({ id }) => id,
    cell: ({ name, title }) => `${name} ${title}`,
  },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text, stale }) => (
      <StateLabel
        state={stateTone(state)}
        label={stale ? `${STATE_LABELS[state]}, stale` : STATE_LABELS[state]}
        title={state_text}
      />
    ),
  },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
  {
    id: "since",
    sortable: true,
    header: "since",
    align: "right",
    csvHeader: "since",
    value: ({ since }) => since,
    cell: ({ since }) => <AgeStamp at={since} />,
  },
  {
    id: "nodes",
    sortable: true,
    header: "nodes",
    align: "right",
    value: ({ nodes }) => nodes,
    cell: ({ nodes, confirmed }) => `${confirmed} of ${nodes}`,
  },
  { id: "author", sortable: true, header: "author", value: ({ author }) => author, wide: true },
  { id: "ticket", sortable: true, header: "ticket", value: ({ ticket }) => ticket, wide: true },
];

export function ChangesPage() {
  const list = useListPage(changesList, { columns: COLUMNS, sort: "-name", filters: { state: "" } });
  return (
    <>
      <PageHeader title="Changes" headline={list.headline(changesHeadline)}>
        <ButtonLink href="/policies">Policies</ButtonLink>
      </PageHeader>
      <ListTable
        list={list}
        label="Changes"
        noun="changes"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/changes/${id}`}
        search="Search"
        filters={[{ name: "state", label: "State", choices: CHOICES }]}
        none={
          <EmptyState title="No changes yet.">
            Open a policy and create a plan. Nodes change only after the plan is approved and applied.
          </EmptyState>
        }
      />
    </>
  );
}
