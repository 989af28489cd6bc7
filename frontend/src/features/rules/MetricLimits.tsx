/** Limits on device metrics: list, new limit, changes in place, removal. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { metricLimitsList, useRemoveLimit, type MetricLimit } from "@/api/alerting/rules";
import { rowsOf } from "@/api/list-query";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { LimitForm } from "./LimitForm";
import { limitText, setByText } from "./rules";
import classes from "./Rules.module.css";
import { ConfirmButton } from "@/ui/confirm";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { duration } from "@/util/units";

const columnsOf = (maySave: boolean, edit: (limit: MetricLimit) => void): readonly Column<MetricLimit>[] => [
  { id: "name", header: "name", value: ({ name }) => name, wraps: true },
  {
    id: "limit",
    header: "limit",
    value: limitText,
    cell: (limit) => <span title={limit.metric}>{limitText(limit)}</span>,
    wraps: true,
  },
  { id: "for", header: "for", value: ({ for_s }) => for_s, cell: ({ for_s }) => duration(for_s), wide: true },
  {
    id: "severity",
    header: "state",
    value: ({ severity }) => severity,
    cell: ({ severity, enabled }) => (
      <StateLabel state={enabled ? severity : "disabled"} label={enabled ? severity : "disabled"} />
    ),
  },
  { id: "where", header: "applies to", value: whereText, wide: true },
  { id: "by", header: "set by", value: setByText, wide: true },
  {
    id: "actions",
    header: "",
    isControl: true,
    value: () => "",
    wraps: true,
    cell: (row) =>
      row.origin === "file" ? (
        <span className="dim">edit the site file</span>
      ) : maySave ? (
        <span className={classes.actions}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Edit the limit ${row.name}`}
            onClick={() => edit(row)}
          >
            Edit
          </Button>
          <Remove row={row} />
        </span>
      ) : null,
  },
];

function whereText({ subject, role, labels }: MetricLimit): string {
  const parts = [subject, role, ...Object.entries(labels).map(([name, value]) => `${name}=${value}`)];
  return parts.filter((part) => part !== "").join(", ") || "all nodes";
}

export function MetricLimits({ site }: { site: string }) {
  const query = useInfiniteQuery(metricLimitsList(site));
  const { data: person } = useQuery(sessionQuery);
  const maySave = may.editRules(person);
  const [isAdding, setAdding] = useState(false);
  const [edited, edit] = useState<MetricLimit | null>(null);
  const columns = useMemo(() => columnsOf(maySave, edit), [maySave]);
  return (
    <Panel title="Limits on device metrics">
      <div className={classes.stack}>
        <QueryBoundary query={query} what="the metric limits">
          {(pages) => (
            <DataTable
              label="Metric limits"
              columns={columns}
              rows={rowsOf(pages)}
              rowKey={({ id }) => id}
              noun="metric limits"
              empty={
                <EmptyState title="No limits.">A limit opens an incident for any device metric.</EmptyState>
              }
              isPlain
            />
          )}
        </QueryBoundary>
        {edited !== null && (
          <LimitForm key={edited.id} site={site} limit={edited} onDone={() => edit(null)} />
        )}
        {maySave && (
          <Disclosure summary={<span>New limit</span>} open={isAdding} onToggle={setAdding}>
            <LimitForm site={site} limit={null} onDone={() => setAdding(false)} />
          </Disclosure>
        )}
      </div>
    </Panel>
  );
}

function Remove({ row }: { row: MetricLimit }) {
  const remove = useRemoveLimit();
  return (
    <ConfirmButton
      size="compact-xs"
      isBusy={remove.isPending}
      title={`Delete the limit ${row.name}?`}
      consequence="Its incidents resolve in the next round."
      action="Delete limit"
      onConfirm={() => remove.mutate(row.id)}
    >
      Delete<span className="visually-hidden"> the limit {row.name}</span>
    </ConfirmButton>
  );
}
