/** The site's changes. */
import { useQuery } from "@tanstack/react-query";
import { changesQuery } from "@/api/failover";
import { useParam, useSite } from "@/api/scope";
import type { Change } from "@/api/types";
import { changesHeadline, isShown, STATE_LABELS, stateTone } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table";

const CHOICES = [
  { value: "", label: "any state" },
  { value: "current", label: "in progress" },
  ...(Object.entries(STATE_LABELS) as [Change["state"], string][]).map(([value, label]) => ({
    value,
    label,
  })),
] as const;

const COLUMNS: readonly Column<Change>[] = [
  { id: "id", header: "change", value: ({ id }) => id, cell: ({ name, title }) => `${name} ${title}` },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => (
      <StateLabel state={stateTone(state)} label={STATE_LABELS[state]} title={state_text} />
    ),
  },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
  {
    id: "since",
    header: "since",
    align: "right",
    csvHeader: "since",
    value: ({ since }) => since,
    cell: ({ since }) => <AgeStamp at={since} />,
  },
  {
    id: "nodes",
    header: "nodes",
    align: "right",
    value: ({ nodes }) => nodes,
    cell: ({ nodes, confirmed }) => `${confirmed} of ${nodes}`,
  },
  { id: "author", header: "author", value: ({ author }) => author, wide: true },
  { id: "ticket", header: "ticket", value: ({ ticket }) => ticket, wide: true },
];

export function ChangesPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "-id");
  const [state, setState] = useParam("state", "");
  const [q, setQ] = useParam("q", "");
  const changes = useQuery({ ...changesQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="Changes" headline={changes.data === undefined ? "" : changesHeadline(changes.data)}>
        <ButtonLink href="/policies">Policies</ButtonLink>
      </PageHeader>
      <QueryBoundary query={changes} what="the changes">
        {(rows) => (
          <DataTable
            label="Changes"
            noun="changes"
            rows={rows.filter((change) => isShown(change, { q, state }))}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/changes/${id}`}
            sort={sort}
            onSort={setSort}
            tools={
              <>
                <TextFilter label="Search" value={q} onChange={setQ} />
                <ChoiceFilter label="State" value={state} choices={CHOICES} onChange={setState} />
              </>
            }
            empty={
              rows.length === 0 ? (
                <EmptyState title="No changes yet.">
                  Open a policy and create a plan. Nodes change only after the plan is approved and applied.
                </EmptyState>
              ) : (
                <EmptyState title="No matching changes.">
                  Clear a filter to see all {rows.length} changes.
                </EmptyState>
              )
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
