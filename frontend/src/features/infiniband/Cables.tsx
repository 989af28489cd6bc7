/** Cables that need a hand, the most pressing first, each with every reason. */
import type { CableVerdict } from "@/api/types";
import classes from "./HealthPage.module.css";
import { useParam } from "@/api/scope";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";

export const ACTION_LABELS: Readonly<Record<CableVerdict["action"], string>> = {
  recable: "put where it belongs",
  swap: "swap",
  watch: "watch",
};
const ORDER: Readonly<Record<CableVerdict["action"], number>> = { recable: 0, swap: 1, watch: 2 };

const COLUMNS: readonly Column<CableVerdict>[] = [
  { id: "name", header: "cable", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "action",
    header: "what to do",
    value: ({ action }) => ORDER[action],
    cell: ({ action, state }) => (
      <>
        <StateBadge state={state} quiet /> {ACTION_LABELS[action]}
      </>
    ),
  },
  {
    id: "reasons",
    header: "why",
    value: ({ reasons }) => reasons.join("; "),
    cell: ({ reasons }) =>
      reasons.map((reason) => (
        <span key={reason} className={classes.reason}>
          {reason}
        </span>
      )),
  },
];

export function Cables({ cables }: { cables: readonly CableVerdict[] }) {
  const [sort, setSort] = useParam("cables", "action");
  return (
    <DataTable
      label="Cables to see to"
      noun="cables"
      rows={cables}
      columns={COLUMNS}
      rowKey={({ name }) => name}
      rowHref={({ url }) => url}
      sort={sort}
      onSort={setSort}
      step={100}
      empty={<EmptyState title="No cable needs a hand." />}
    />
  );
}
