/** Every change of the site: what waits for somebody first. */
import { useQuery } from "@tanstack/react-query";
import { changesQuery } from "@/api/failover";
import { useParam, useSite } from "@/api/scope";
import type { Change } from "@/api/types";
import { changesHeadline, isShown } from "./list";
import { STATE_LABELS, stateTone } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Answer } from "@/ui/Answer";
import { ButtonLink } from "@/ui/ButtonLink";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateWord } from "@/ui/StateWord";
import type { Column } from "@/ui/table";

const CHOICES = [
  { value: "", label: "any state" },
  { value: "current", label: "not over" },
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
      <StateWord state={stateTone(state)} word={STATE_LABELS[state]} title={state_text} />
    ),
  },
  { id: "words", header: "in words", value: ({ state_text }) => state_text, wide: true },
  {
    id: "since",
    header: "for",
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
        <ButtonLink href="/policies">Change a policy</ButtonLink>
      </PageHeader>
      <Answer asked={changes} what="the changes">
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
                <TextFilter label="Filter by words" value={q} onChange={setQ} />
                <ChoiceFilter label="State" value={state} choices={CHOICES} onChange={setState} />
              </>
            }
            empty={
              rows.length === 0 ? (
                <EmptyState title="Nothing has been changed yet.">
                  A change begins with a policy: open one under Policies and make a plan of it. Nothing is
                  touched before somebody has approved and applied it.
                </EmptyState>
              ) : (
                <EmptyState title="No change passes these filters.">
                  Clear a filter to see more of the {rows.length}.
                </EmptyState>
              )
            }
          />
        )}
      </Answer>
    </>
  );
}
