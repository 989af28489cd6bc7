/** Limits on device metrics: list, new limit with its preview, removal. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  metricLimitsList,
  usePreviewLimit,
  useRemoveLimit,
  useSaveLimit,
  type MetricLimit,
  type MetricLimitIn,
} from "@/api/alerting/rules";
import { rowsOf } from "@/api/list-query";
import { useSubmit } from "@/api/useSubmit";
import { PreviewResult } from "./PreviewResult";
import { limitText, setByText } from "./rules";
import classes from "./Rules.module.css";
import { ConfirmButton } from "@/ui/confirm";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { duration } from "@/util/units";

const COLUMNS: readonly Column<MetricLimit>[] = [
  { id: "name", header: "name", value: ({ name }) => name },
  {
    id: "metric",
    header: "metric",
    value: ({ title }) => title,
    cell: ({ title, metric }) => <span title={metric}>{title}</span>,
  },
  { id: "limit", header: "limit", value: limitText },
  { id: "for", header: "for", value: ({ for_s }) => for_s, cell: ({ for_s }) => duration(for_s) },
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
    id: "remove",
    header: "",
    value: () => "",
    cell: (row) =>
      row.origin === "file" ? <span className="dim">edit the site file</span> : <Remove row={row} />,
  },
];

function whereText({ subject, role, labels }: MetricLimit): string {
  const parts = [subject, role, ...Object.entries(labels).map(([name, value]) => `${name}=${value}`)];
  return parts.filter((part) => part !== "").join(", ") || "all nodes";
}

export function MetricLimits({ site }: { site: string }) {
  const query = useInfiniteQuery(metricLimitsList(site));
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel title="Limits on device metrics">
      <div className={classes.stack}>
        <QueryBoundary query={query} what="the metric limits">
          {(pages) => (
            <DataTable
              label="Metric limits"
              columns={COLUMNS}
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
        <Disclosure summary={<span>New limit</span>} open={isAdding} onToggle={setAdding}>
          <LimitForm site={site} onDone={() => setAdding(false)} />
        </Disclosure>
      </div>
    </Panel>
  );
}

function Remove({ row }: { row: MetricLimit }) {
  const remove = useRemoveLimit();
  return (
    <ConfirmButton
      isBusy={remove.isPending}
      title={`Delete the limit ${row.name}?`}
      consequence="Its incidents resolve in the next round."
      action="Delete limit"
      onConfirm={() => remove.mutate(row.id)}
    >
      Delete
    </ConfirmButton>
  );
}

function LimitForm({ site, onDone }: { site: string; onDone: () => void }) {
  const form = useForm({
    initialValues: {
      name: "",
      metric: "",
      side: "above",
      raise_at: "",
      clear_at: "",
      for_s: "60",
      severity: "warning",
      subject: "",
      role: "",
    },
    validate: {
      name: (text) => (/^[A-Za-z0-9_-]{1,50}$/.test(text) ? null : "Letters, digits, - and _."),
      metric: (text) => (text === "" ? "Name a metric, such as entity.temperature." : null),
      raise_at: (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? "A number." : null),
      clear_at: (text) => (Number.isNaN(Number(text)) ? "A number." : null),
    },
  });
  const bodyOf = (values: typeof form.values): MetricLimitIn => ({
    site,
    name: values.name,
    metric: values.metric,
    above: values.side === "above",
    raise_at: Number(values.raise_at),
    clear_at: Number(values.clear_at === "" ? values.raise_at : values.clear_at),
    for_s: Number(values.for_s),
    severity: values.severity as MetricLimit["severity"],
    subject: values.subject,
    role: values.role,
    labels: {},
    enabled: true,
  });
  const save = useSaveLimit(onDone);
  const preview = usePreviewLimit();
  const { onSubmit, busy, error } = useSubmit(form, save, (values) => ({ id: null, body: bodyOf(values) }));
  const text = (name: keyof typeof form.values, label: string, description: string) => (
    <TextInput size="xs" label={label} description={description} {...form.getInputProps(name)} />
  );
  return (
    <form className={classes.stack} onSubmit={onSubmit} aria-label="New limit">
      <div className={classes.fields}>
        {text("name", "Name", "Unique at the site.")}
        {text("metric", "Metric", "Such as entity.temperature.")}
        <NativeSelect
          size="xs"
          label="Wrong"
          description="On which side of the limit."
          data={["above", "below"]}
          {...form.getInputProps("side")}
        />
        {text("raise_at", "Limit", "In the metric's unit; of a counter per second.")}
        {text("clear_at", "Resolves at", "Empty: at the limit.")}
        {text("for_s", "For (s)", "So long before an incident opens.")}
        <NativeSelect
          size="xs"
          label="Severity"
          description="Of its incidents."
          data={["warning", "critical"]}
          {...form.getInputProps("severity")}
        />
        {text("subject", "Ports or parts", "Pattern such as temp*; empty: all.")}
        {text("role", "Role", "Only nodes of this role; empty: all.")}
      </div>
      <FormError>{error}</FormError>
      <div className={classes.row}>
        <Button size="xs" type="submit" loading={busy}>
          Save
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={preview.isPending}
          onClick={() => {
            if (!form.validate().hasErrors) preview.mutate(bodyOf(form.values));
          }}
        >
          Preview 7 days
        </Button>
      </div>
      <PreviewResult preview={preview.data} error={preview.error} />
    </form>
  );
}
