/** The address rule of a switch without ARP, member by member; those that break it first. */
import type { ArpRule, ArpRuleLine } from "@/api/arp";
import { VERDICT_LABELS } from "./arp";
import classes from "./Arp.module.css";
import { useParam } from "@/api/scope";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import type { Column } from "@/ui/table";

const COLUMNS: readonly Column<ArpRuleLine>[] = [
  {
    id: "rule",
    header: "rule",
    value: ({ verdict }) => (verdict === "obeys" ? 1 : 0),
    cell: ({ verdict, text }) => (
      <StateWord
        state={verdict === "obeys" ? "ok" : "critical"}
        word={VERDICT_LABELS[verdict]}
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
  // Nobody tells of an address that is as intended: what runs is shown where it is another.
  {
    id: "running",
    header: "runs",
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
  // What obeys has said it in its figures.
  {
    id: "words",
    header: "in words",
    value: ({ text }) => text,
    cell: ({ verdict, text }) => (verdict === "obeys" ? null : text),
    wide: true,
  },
];

export function RuleTable({ rule }: { rule: ArpRule }) {
  const [sort, setSort] = useParam("rule-sort", "rule");
  return (
    <Panel title="Address rule" flush>
      <p className={classes.words}>{rule.text}</p>
      {rule.applies && (
        <DataTable
          label="Address rule"
          noun="members"
          rows={rule.lines}
          columns={COLUMNS}
          rowKey={({ node, port }) => `${node}:${port}`}
          sort={sort}
          onSort={setSort}
          empty={<EmptyState title="Nobody is on this fabric.">Ports come from the site file.</EmptyState>}
        />
      )}
    </Panel>
  );
}
