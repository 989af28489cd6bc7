/** Verdicts of a run with their number of cells. */
import { useParam } from "@/api/scope";
import type { NamedVerdict, TestRunDetail } from "@/api/throughput";
import classes from "./Tests.module.css";
import { verdictLabel } from "./labels";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import type { Column } from "@/ui/table/columns";

const columnsOf = (only: string, setOnly: (name: string) => void): readonly Column<NamedVerdict>[] => [
  {
    id: "name",
    header: "verdict",
    value: ({ name }) => verdictLabel(name).text,
    cell: ({ name }) => (
      <>
        <span className={classes.glyph} aria-hidden="true">
          {verdictLabel(name).glyph}
        </span>{" "}
        {verdictLabel(name).text}
      </>
    ),
  },
  { id: "cells", header: "cells", align: "right", value: ({ cells }) => cells.length },
  {
    id: "sentence",
    header: "most confident cell",
    value: ({ sentence }) => sentence,
    cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
  },
  {
    id: "show",
    header: "highlight",
    value: ({ name }) => name,
    cell: ({ name }) => (
      <label className={classes.row}>
        <input
          type="checkbox"
          checked={only === name}
          onChange={(event) => setOnly(event.currentTarget.checked ? name : "")}
          aria-label={`Highlight ${verdictLabel(name).text}`}
        />{" "}
        highlight
      </label>
    ),
  },
];

export function VerdictTable({ run }: { run: TestRunDetail }) {
  const [only, setOnly] = useParam("verdict", "");
  if (run.verdicts.length === 0) return null;
  return (
    <Panel title="Verdicts" flush>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Verdicts, scrollable">
        <DataTable
          label="Verdicts"
          noun="verdicts"
          rows={run.verdicts}
          columns={columnsOf(only, setOnly)}
          rowKey={({ name }) => name}
          empty={<EmptyState title="No verdicts." />}
        />
      </div>
    </Panel>
  );
}
