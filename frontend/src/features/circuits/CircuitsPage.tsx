/** The site's circuits with labels and states. */
import { circuitsList, type Circuit } from "@/api/circuits";
import { useListPage } from "@/api/useListPage";
import { circuitsHeadline, KIND_LABELS, formatLabels } from "./circuits";
import { ButtonLink } from "@/ui/ButtonLink";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { STATE_CHOICES } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<Circuit>[] = [
  { id: "name", sortable: true, header: "circuit", value: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  { id: "kind", sortable: true, header: "kind", value: ({ kind }) => KIND_LABELS[kind], wide: true },
  {
    id: "labels",
    sortable: true,
    header: "labels",
    value: formatLabels,
    cell: (circuit) => <span className="mono">{formatLabels(circuit)}</span>,
  },
  { id: "ends", header: "ends", value: ({ ends }) => ends.join(" and "), wide: true },
  {
    id: "hops",
    sortable: true,
    header: "hops",
    align: "right",
    value: ({ hops }) => hops.length,
    wide: true,
  },
  { id: "shape", header: "shape", value: ({ shape }) => shape ?? "", wide: true },
  { id: "status", header: "status", value: ({ state_text }) => state_text, wide: true },
];
/** A circuit is never disabled. */
const STATES = STATE_CHOICES.filter(({ value }) => value !== "disabled");
const KINDS = [
  { value: "", label: "any kind" },
  { value: "pvc", label: "PVC" },
  { value: "vlan", label: "VLAN" },
] as const;

const PLAN = (
  <ButtonLink size="xs" href="/circuits/plan">
    Plan circuits
  </ButtonLink>
);

export function CircuitsPage() {
  const list = useListPage(circuitsList, {
    columns: COLUMNS,
    sort: "state",
    filters: { state: "", kind: "" },
  });
  return (
    <>
      <PageHeader title="Circuits" headline={list.headline(circuitsHeadline)}>
        <ButtonLink size="xs" href="/circuits/history">
          At a time
        </ButtonLink>
        {PLAN}
      </PageHeader>
      <ListTable
        list={list}
        label="Circuits"
        noun="circuits"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        search="Search by name, end or label"
        filters={[
          { name: "state", label: "State", choices: STATES },
          { name: "kind", label: "Kind", choices: KINDS },
        ]}
        none={
          <EmptyState title="No circuits." command="python manage.py import_site site.yaml">
            Declare circuits hop by hop in the site file. {PLAN}
          </EmptyState>
        }
      />
    </>
  );
}
