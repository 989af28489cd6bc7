/** Cables to service with the reasons, the most urgent first. */
import type { CableVerdict } from "@/api/types";
import classes from "./HealthPage.module.css";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";

export const ACTION_LABELS: Readonly<Record<CableVerdict["action"], string>> = {
  recable: "move to its port",
  swap: "replace",
  watch: "watch",
};
const ORDER: Readonly<Record<CableVerdict["action"], number>> = { recable: 0, swap: 1, watch: 2 };

const COLUMNS: readonly Column<CableVerdict>[] = [
  { id: "name", header: "cable", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "action",
    header: "action",
    value: ({ action }) => ORDER[action],
    cell: ({ action, state }) => (
      <>
        <StateBadge state={state} quiet /> {ACTION_LABELS[action]}
      </>
    ),
  },
  {
    id: "reasons",
    header: "reasons",
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
  return (
    <DataTable
      label="Cables to service"
      noun="cables"
      rows={cables}
      columns={COLUMNS}
      rowKey={({ name }) => name}
      rowHref={({ url }) => url}
      empty={<EmptyState title="No cable needs service." />}
    />
  );
}
