/** The site's circuits with labels and states. */
import { useQuery } from "@tanstack/react-query";
import { circuitsQuery, type Circuit } from "@/api/circuits";
import { useParam, useSite } from "@/api/scope";
import { circuitsHeadline, KIND_LABELS, formatLabels, matches } from "./circuits";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, STATE_CHOICES, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";

const WORST: Record<Circuit["state"], number> = { critical: 0, warning: 1, unknown: 2, disabled: 3, ok: 4 };

const COLUMNS: readonly Column<Circuit>[] = [
  { id: "name", header: "circuit", value: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => WORST[state],
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  { id: "kind", header: "kind", value: ({ kind }) => KIND_LABELS[kind], wide: true },
  {
    id: "labels",
    header: "labels",
    value: formatLabels,
    cell: (circuit) => <span className="mono">{formatLabels(circuit)}</span>,
  },
  { id: "ends", header: "ends", value: ({ ends }) => ends.join(" and "), wide: true },
  { id: "hops", header: "hops", align: "right", value: ({ hops }) => hops.length, wide: true },
  { id: "shape", header: "shape", value: ({ shape }) => shape ?? "", wide: true },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
];
const KINDS = [
  { value: "", label: "any kind" },
  { value: "pvc", label: "PVC" },
  { value: "vlan", label: "VLAN" },
] as const;

export function CircuitsPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "state");
  const [q, setQ] = useParam("q", "");
  const [state, setState] = useParam("state", "");
  const [kind, setKind] = useParam("kind", "");
  const query = useQuery({ ...circuitsQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="Circuits" headline={query.data === undefined ? "" : circuitsHeadline(query.data)}>
        <ButtonLink size="xs" href="/circuits/plan">
          Plan circuits
        </ButtonLink>
      </PageHeader>
      <QueryBoundary query={query} what="the circuits">
        {(rows) => (
          <DataTable
            label="Circuits"
            noun="circuits"
            rows={rows.filter((circuit) => matches(circuit, { q, state, kind }))}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHref={({ url }) => url}
            sort={sort}
            onSort={setSort}
            tools={
              <>
                <TextFilter label="Search by name, end or label" value={q} onChange={setQ} />
                <ChoiceFilter label="State" value={state} choices={STATE_CHOICES} onChange={setState} />
                <ChoiceFilter label="Kind" value={kind} choices={KINDS} onChange={setKind} />
              </>
            }
            empty={
              rows.length === 0 ? (
                <EmptyState title="No circuits.">
                  Declare circuits hop by hop in the site file.{" "}
                  <ButtonLink size="xs" href="/circuits/plan">
                    Plan circuits
                  </ButtonLink>
                </EmptyState>
              ) : (
                <EmptyState title="No matching circuits.">
                  Clear a filter to see all {rows.length} circuits.
                </EmptyState>
              )
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
