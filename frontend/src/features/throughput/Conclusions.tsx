/** A paper's conclusions by row, against Backstay's verdicts on the same data. */
import { useParam } from "@/api/scope";
import type { Conclusion, TestRunDetail } from "@/api/throughput";
import classes from "./Tests.module.css";
import { DataTable } from "@/ui/table/DataTable";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<Conclusion>[] = [
  { id: "row", header: "row", value: ({ row }) => row },
  {
    id: "paper",
    header: "paper",
    value: ({ paper }) => paper,
    cell: ({ paper }) => <span className={classes.sentence}>{paper}</span>,
  },
  {
    id: "ours",
    header: "Backstay verdict",
    value: ({ sentence }) => sentence,
    cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
  },
  { id: "confidence", header: "confidence", value: ({ confidence }) => confidence, wide: true },
  {
    id: "agrees",
    header: "agreement",
    value: ({ agrees }) => String(agrees),
    cell: ({ agrees, why_not }) => (
      <StateLabel
        state={agrees ? "ok" : "warning"}
        label={agrees ? "agree" : "differ"}
        title={why_not === "" ? "Same cause" : why_not}
      />
    ),
  },
];

export function Conclusions({ run: { conclusions, citation } }: { run: TestRunDetail }) {
  const [sort, setSort] = useParam("rows", "");
  if (citation === null || conclusions.length === 0) return null;
  return (
    <Panel
      title="Conclusions of the paper"
      aside={
        <span className="dim">
          {citation.title}, {citation.figure}
        </span>
      }
      flush
    >
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Conclusions, scrollable">
        <DataTable
          label="Conclusions"
          noun="conclusions"
          rows={conclusions}
          columns={COLUMNS}
          rowKey={({ row }) => row}
          sort={sort}
          onSort={setSort}
          empty={null}
        />
      </div>
    </Panel>
  );
}
