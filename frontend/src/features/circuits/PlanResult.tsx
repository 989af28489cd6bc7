/** What a plan says: each way's figures with the advised one marked, labels circuit by circuit, and the router's statements. */
import { useState } from "react";
import type { CircuitPlan, CircuitSize } from "@/api/circuits";
import classes from "./Circuits.module.css";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import type { Column } from "@/ui/table";
import { grouped } from "@/util/units";

type Planned = CircuitPlan["circuits"][number];

const PLANNED: readonly Column<Planned>[] = [
  { id: "name", header: "circuit", value: ({ name }) => name },
  {
    id: "sides",
    header: "port and label from end to end",
    value: ({ sides }) => sides.join(" → "),
    cell: ({ sides }) => <span className="mono">{sides.join(" → ")}</span>,
  },
];

export function PlanResult({ plan }: { plan: CircuitPlan }) {
  const { members, pairs, capacity, limits, sizes, advised, planned, circuits, device, text } = plan;
  const [sort, setSort] = useState("");
  return (
    <>
      <Panel title="What each way costs" flush>
        <p className={classes.line}>
          {grouped(members)} hosts make {grouped(pairs)} pairs, n(n−1)/2. A port has {grouped(capacity)}{" "}
          labels: {limits}.
        </p>
        <DataTable
          label="Ways to join them"
          noun="ways"
          rows={sizes}
          columns={methodColumns(advised, capacity)}
          rowKey={({ method }) => method}
          sort=""
          onSort={() => undefined}
          empty={null}
        />
      </Panel>
      <Panel title="Labels" flush>
        {planned > circuits.length && (
          <p className={classes.line}>
            The first {grouped(circuits.length)} of {grouped(planned)}; the command line and the API give the
            same.
          </p>
        )}
        <DataTable
          label="Planned circuits"
          noun="planned circuits"
          rows={circuits}
          columns={PLANNED}
          rowKey={({ name }) => name}
          sort={sort}
          onSort={setSort}
          step={50}
          empty={
            <EmptyState title="No labels were given.">
              The mesh is too large to be written out, or needs no circuits.
            </EmptyState>
          }
        />
      </Panel>
      {device !== null && text !== "" && (
        <Panel title={`Statements of gratm.conf on ${device}`}>
          <pre
            className={`${classes.text} mono`}
            tabIndex={0}
            role="region"
            aria-label={`Statements of ${device}`}
          >
            {text}
          </pre>
        </Panel>
      )}
    </>
  );
}

const methodColumns = (advised: string, capacity: number): readonly Column<CircuitSize>[] => [
  {
    id: "title",
    header: "way",
    value: ({ title }) => title,
    cell: ({ title, method }) => (
      <>
        {title} {method === advised && <StateWord state="ok" word="advised" />}
      </>
    ),
  },
  {
    id: "circuits",
    header: "circuits",
    align: "right",
    value: ({ circuits }) => circuits,
    cell: ({ circuits }) => grouped(circuits),
  },
  {
    id: "statements",
    header: "lines to write",
    align: "right",
    value: ({ statements }) => statements,
    cell: ({ statements }) => grouped(statements),
  },
  {
    id: "one_more",
    header: "one more host",
    align: "right",
    value: ({ one_more }) => one_more,
    cell: ({ one_more }) => grouped(one_more),
    wide: true,
  },
  {
    id: "per_port",
    header: "on one port",
    align: "right",
    value: ({ per_port }) => per_port,
    cell: ({ per_port }) => grouped(per_port),
    wide: true,
  },
  {
    id: "trunk",
    header: "on one trunk",
    align: "right",
    value: ({ trunk }) => trunk,
    cell: ({ trunk }) => grouped(trunk),
    wide: true,
  },
  {
    id: "fits",
    header: "fits",
    value: ({ fits }) => String(fits),
    cell: ({ fits }) => (
      <StateWord
        state={fits ? "ok" : "critical"}
        word={fits ? "fits" : "too many"}
        title={`A port has ${grouped(capacity)} labels`}
      />
    ),
  },
];
