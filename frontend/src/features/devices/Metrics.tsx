/** Device metrics except traffic: the most important ones as charts, all in groups, and the selected one's history. */
import { useMemo, useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { figuresList } from "@/api/queries";
import { useParam, useRange } from "@/api/scope";
import { useListPage } from "@/api/useListPage";
import type { Figure } from "@/api/types";
import classes from "./DevicePage.module.css";
import { MetricChart, MetricPeriod } from "./MetricPeriod";
import { formatMetric, groupsOf, keyMetrics, metricName, type MetricGroup } from "./metrics";
import { DataTable } from "@/ui/table/DataTable";
import { ListFrame, ListTools, NoMatch } from "@/ui/table/ListTable";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { StateLabel } from "@/ui/StateLabel";
import { count, duration } from "@/util/units";

const STATES = [
  { value: "", label: "all states" },
  { value: "warning", label: "warning" },
  { value: "unknown", label: "unknown" },
  { value: "ok", label: "ok" },
] as const;
const FILTERS = [{ name: "state", label: "State of metrics", choices: STATES }] as const;

function columnsOf(chosen: string, choose: (id: string) => void): readonly Column<Figure>[] {
  return [
    {
      id: "subject",
      sortable: true,
      header: "part",
      value: ({ subject }) => subject,
      cell: ({ subject }) => (subject === "" ? <span className="dim">the device</span> : subject),
    },
    {
      id: "name",
      sortable: true,
      header: "metric",
      value: ({ name }) => name,
      cell: (figure) =>
        figure.kind === "state" || figure.kind === "unknown" ? (
          <span title={figure.sentence}>{figure.name}</span>
        ) : (
          <button
            type="button"
            className={classes.pick}
            title={figure.sentence}
            aria-pressed={figure.id === chosen}
            onClick={() => choose(figure.id === chosen ? "" : figure.id)}
          >
            {figure.name}
          </button>
        ),
    },
    {
      id: "state",
      sortable: true,
      header: "state",
      value: ({ state }) => state,
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      id: "value",
      sortable: true,
      header: "now",
      align: "right",
      value: ({ value, reported_state }) => reported_state ?? value,
      cell: (figure) => <span className="num">{formatMetric(figure)}</span>,
    },
    {
      id: "sentence",
      sortable: true,
      header: "description",
      value: ({ sentence }) => sentence,
      cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
      wide: true,
    },
    {
      id: "age",
      sortable: true,
      header: "last reported",
      csvHeader: "age (s)",
      align: "right",
      value: ({ age_s }) => age_s,
      cell: ({ age_s }) => `${duration(age_s)} ago`,
      wide: true,
    },
  ];
}

/** Number of metrics in state warning; pressing it filters the table to them. */
function Warnings({
  node,
  active,
  show,
}: {
  node: number;
  active: boolean;
  show: (enabled: boolean) => void;
}) {
  const { data } = useInfiniteQuery(figuresList(node)("", { state: "warning", limit: 100 }));
  const number = data?.pages[0]?.items.length ?? 0;
  if (number === 0) return null;
  return (
    <button type="button" className={classes.pick} aria-pressed={active} onClick={() => show(!active)}>
      {number}
      {data?.pages[0]?.next === null ? "" : " or more"} in warning
    </button>
  );
}

export function Metrics({ node, name }: { node: number; name: string }) {
  const [chosen, setChosen] = useParam("figure", "");
  const [range] = useRange();
  const columns = useMemo(() => columnsOf(chosen, setChosen), [chosen, setChosen]);
  const metrics = useMemo(() => figuresList(node), [node]);
  const list = useListPage(metrics, {
    columns,
    sort: "metric",
    filters: { state: "" },
    names: { q: "part", state: "figures", sort: "figure_sort", columns: "figure_columns" },
  });
  const selected = list.query.data?.find(({ id }) => id === chosen);
  const isWarning = list.values.state === "warning";
  return (
    <Panel
      title="Device metrics"
      aside={
        <Warnings
          node={node}
          active={isWarning}
          show={(enabled) => list.set("state", enabled ? "warning" : "")}
        />
      }
      flush
    >
      {selected !== undefined && (
        <div className={classes.past}>
          <MetricChart
            node={node}
            metric={selected.metric}
            subject={selected.subject}
            collector={selected.collector}
            name={metricName(selected)}
            threshold={null}
            range={range}
          />
          <p className="dim">{selected.sentence}</p>
        </div>
      )}
      <ListFrame
        list={list}
        noun="metrics"
        csv={columns}
        tools={<ListTools list={list} search="Search parts and metrics" filters={FILTERS} />}
      >
        {(rows) =>
          rows.length === 0 ? (
            list.isFiltered ? (
              <NoMatch noun="metrics" text={list.values.q} />
            ) : (
              <EmptyState title="This device reports no metrics other than traffic." />
            )
          ) : (
            groupsOf(rows).map((group) => (
              <Group
                // A search opens the groups of what it finds.
                key={`${group.family} ${list.isFiltered}`}
                group={group}
                columns={columns}
                device={name}
                isOpenFirst={list.isFiltered || group.metrics.some(({ id }) => id === chosen)}
              />
            ))
          )
        }
      </ListFrame>
    </Panel>
  );
}

interface GroupProps {
  group: MetricGroup;
  columns: readonly Column<Figure>[];
  device: string;
  isOpenFirst: boolean;
}

function Group({ group: { title, metrics, warnings, unknown }, columns, device, isOpenFirst }: GroupProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const summary = (
    <>
      <b>{title}</b> <span className="dim">{count(metrics.length, "metric")}</span>
      {warnings > 0 && <StateLabel state="warning" label={`${warnings} in warning`} />}
      {unknown > 0 && <StateLabel state="unknown" label={`${unknown} unknown`} />}
    </>
  );
  return (
    <div className={classes.group}>
      <Disclosure summary={summary} open={isOpen} onToggle={setOpen}>
        <DataTable
          label={`Metrics of ${device}: ${title}`}
          noun="metrics"
          rows={metrics}
          columns={columns}
          rowKey={({ id }) => id}
          isPlain
          empty={null}
        />
      </Disclosure>
    </div>
  );
}

/** Charts of the metrics that say how the device is, of those that the list of metrics begins with. */
export function KeyMetrics({ node }: { node: number }) {
  const [range] = useRange();
  const { data } = useInfiniteQuery(figuresList(node)("", { sort: "metric" }));
  const shown = useMemo(() => keyMetrics(data?.pages[0]?.items ?? []), [data]);
  if (shown.length === 0) return null;
  return (
    <div className={classes.charts}>
      {shown.map(({ id, metric, subject, collector, name }) => (
        <MetricPeriod
          key={id}
          node={node}
          metric={metric}
          subject={subject}
          collector={collector}
          name={metricName({ name, subject })}
          threshold={null}
          range={range}
          height={140}
        />
      ))}
    </div>
  );
}
