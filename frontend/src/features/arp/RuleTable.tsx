/** Address rule of a switch without ARP, by member; violations first. */
import type { ArpRule, ArpRuleLine } from "@/api/arp";
import { VERDICT_LABELS } from "./arp";
import classes from "./Arp.module.css";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<ArpRuleLine>[] = [
  {
    id: "rule",
    header: "rule",
    value: ({ verdict }) => (verdict === "obeys" ? 1 : 0),
    cell: ({ verdict, text }) => (
      <StateLabel
        state={verdict === "obeys" ? "ok" : "critical"}
        label={VERDICT_LABELS[verdict]}
        title={text}
      />
    ),
  },
  {
    id: "node",
    header: "node",
    value: ({ node }) => node,
    cell: ({ node, extension }) => (
      <span className={classes.member}>{extension ? `${node} (extension node)` : node}</span>
    ),
  },
  {
    id: "address",
    header: "address",
    value: ({ address }) => address,
    cell: ({ address }) => <span className="mono">{address}</span>,
  },
  // Agents report an address only when it differs from the intended one.
  {
    id: "running",
    header: "running",
    value: ({ running }) => running,
    cell: ({ verdict, running }) =>
      verdict === "address_mismatch" ? (
        <span className={`${classes.bad} mono`}>{running === "" ? "none" : running}</span>
      ) : null,
  },
  {
    id: "host",
    header: "host part",
    align: "right",
    value: ({ host_part }) => host_part ?? -1,
    cell: ({ host_part }) => host_part ?? "none",
  },
  {
    id: "number",
    header: "switch node number",
    align: "right",
    value: ({ switch_node_number }) => switch_node_number ?? -1,
    cell: ({ switch_node_number }) => switch_node_number ?? "none",
  },
  {
    id: "difference",
    header: "difference",
    align: "right",
    value: ({ difference }) => difference ?? -1,
    cell: ({ difference }) => difference ?? "none",
  },

  {
    id: "status",
    header: "status",
    value: ({ text }) => text,
    cell: ({ verdict, text }) => (verdict === "obeys" ? null : text),
    wide: true,
  },
];

export function RuleTable({ rule }: { rule: ArpRule }) {
  return (
    <Panel title="Address rule" flush>
      <p className={classes.summary}>{rule.text}</p>
      {rule.applies && (
        <DataTable
          label="Address rule"
          noun="members"
          rows={rule.lines}
          columns={COLUMNS}
          rowKey={({ node, port }) => `${node}:${port}`}
          empty={<EmptyState title="No members on this fabric.">Declare ports in the site file.</EmptyState>}
        />
      )}
    </Panel>
  );
}
