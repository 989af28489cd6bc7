/** Result of a plan: size of every option with the recommended one marked, labels by circuit, and the router's statements. */
import type { CircuitPlan, CircuitSize } from "@/api/circuits";
import classes from "./Circuits.module.css";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { grouped } from "@/util/units";

type Planned = CircuitPlan["circuits"][number];

const PLANNED: readonly Column<Planned>[] = [
  { id: "name", header: "circuit", value: ({ name }) => name },
  {
    id: "sides",
    header: "port and label, end to end",
    value: ({ sides }) => sides.join(" → "),
    cell: ({ sides }) => <span className="mono">{sides.join(" → ")}</span>,
  },
];

export function PlanResult({ plan }: { plan: CircuitPlan }) {
  const { members, pairs, capacity, limits, sizes, advised, planned, circuits, device, text } = plan;
  return (
    <>
      <Panel title="Options" flush>
        <p className={classes.line}>
          {grouped(members)} hosts form {grouped(pairs)} pairs, n(n−1)/2. A port supports {grouped(capacity)}{" "}
          labels: {limits}.
        </p>
        <DataTable
          label="Connectivity options"
          noun="options"
          rows={sizes}
          columns={methodColumns(advised, capacity)}
          rowKey={({ method }) => method}
          empty={null}
        />
      </Panel>
      <Panel title="Labels" flush>
        {planned > circuits.length && (
          <p className={classes.line}>
            The first {grouped(circuits.length)} of {grouped(planned)}; the CLI and the API return all.
          </p>
        )}
        <DataTable
          label="Planned circuits"
          noun="planned circuits"
          rows={circuits}
          columns={PLANNED}
          rowKey={({ name }) => name}
          empty={
            <EmptyState title="No labels assigned.">
              The mesh is too large to list, or needs no circuits.
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
    header: "option",
    value: ({ title }) => title,
    cell: ({ title, method }) => (
      <>
        {title} {method === advised && <StateLabel state="ok" label="recommended" />}
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
    header: "configuration lines",
    align: "right",
    value: ({ statements }) => statements,
    cell: ({ statements }) => grouped(statements),
  },
  {
    id: "one_more",
    header: "per added host",
    align: "right",
    value: ({ one_more }) => one_more,
    cell: ({ one_more }) => grouped(one_more),
    wide: true,
  },
  {
    id: "per_port",
    header: "per port",
    align: "right",
    value: ({ per_port }) => per_port,
    cell: ({ per_port }) => grouped(per_port),
    wide: true,
  },
  {
    id: "trunk",
    header: "per trunk",
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
      <StateLabel
        state={fits ? "ok" : "critical"}
        label={fits ? "fits" : "too many"}
        title={`A port supports ${grouped(capacity)} labels`}
      />
    ),
  },
];
