/** Device metrics besides traffic, and the history of the selected one. */
import { useMemo } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { figuresList, figureHistoryQuery } from "@/api/queries";
import { useParam, useRange } from "@/api/scope";
import { useListPage } from "@/api/useListPage";
import type { Figure, FigureHistory } from "@/api/types";
import classes from "./DevicePage.module.css";
import { ListTable } from "@/ui/table/ListTable";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { duration, amount as plain, NONE } from "@/util/units";
import { Sparkline } from "@/ui/chart/Sparkline";
import { ESTIMATED_P95, levelText } from "@/ui/chart/shape";
import { describe } from "@/util/time";

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
  const columns = useMemo(() => columnsOf(chosen, setChosen), [chosen, setChosen]);
  const metrics = useMemo(() => figuresList(node), [node]);
  const list = useListPage(metrics, {
    columns,
    sort: "subject",
    filters: { state: "" },
    names: { q: "part", state: "figures", sort: "figure_sort" },
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
      {selected !== undefined && <MetricHistory node={node} figure={selected} />}
      <ListTable
        list={list}
        label={`Metrics of ${name}`}
        noun="metrics"
        columns={columns}
        rowKey={({ id }) => id}
        search="Search parts and metrics"
        filters={FILTERS}
        none={<EmptyState title="This device reports no metrics other than traffic." />}
      />
    </Panel>
  );
}

function MetricHistory({
  node,
  figure: { metric, subject, collector, sentence },
}: {
  node: number;
  figure: Figure;
}) {
  const [range] = useRange();
  const history = useQuery(figureHistoryQuery(node, { metric, subject, collector }, range));
  return (
    <div className={classes.past}>
      <QueryBoundary query={history} what="the metric history">
        {(data) => {
          const description = describeHistory(data);
          const most = Math.max(...data.max.map((value) => value ?? 0), 1e-9);
          return (
            <>
              <Sparkline
                up={data.mean}
                down={[]}
                most={most}
                description={description}
                width={480}
                height={72}
              />
              <p>
                <b>{description}</b>{" "}
                <span className="dim">
                  In the {describe(range)}
                  {data.level === "samples" ? "" : `, ${levelText(data.level)}`}. {sentence}
                  {data.p95_exact ? "" : ` ${ESTIMATED_P95}`}
                </span>
              </p>
            </>
          );
        }}
      </QueryBoundary>
    </div>
  );
}

/** `3 errors/s`, `41 °C`, `running`; for a rate that is not known, the reason. */
export function formatMetric({
  kind,
  value,
  reported_state,
  per_s,
  unit,
  outcome,
}: Pick<Figure, "kind" | "value" | "reported_state" | "per_s" | "unit" | "outcome">): string {
  if (reported_state !== null) return reported_state === "" ? NONE : reported_state;
  if (kind === "growth") {
    if (per_s !== null) return withUnit(plain(per_s), `${unit}/s`);
    return outcome === "ok" ? withUnit(plain(value), unit) : OUTCOME_LABELS[outcome];
  }
  return withUnit(plain(value), unit);
}

const OUTCOME_LABELS: Readonly<Record<Figure["outcome"], string>> = {
  ok: NONE,
  wrapped: NONE,
  gap: NONE,
  reset: "counter restarted",
  absurd: "implausible rate",
  saturated: "counter saturated",
  missing: "no reply",
};

function withUnit(text: string, unit: string): string {
  return unit === "" || text === NONE ? text : `${text} ${unit}`;
}

/** Text alternative of a metric history. */
export function describeHistory({
  title,
  subject,
  unit,
  per_second,
  mean,
  max,
  p95,
}: Pick<FigureHistory, "title" | "subject" | "unit" | "per_second" | "mean" | "max" | "p95">): string {
  const known = mean.filter((value) => value !== null);
  const place = subject === "" ? "" : ` of ${subject}`;
  if (known.length === 0) return `${title}${place}: no data in this time range.`;
  const tail = per_second ? `${unit}/s` : unit;
  const average = known.reduce((sum, value) => sum + value, 0) / known.length;
  const most = Math.max(...max.filter((value) => value !== null));
  const percentile = p95 === null ? "" : `, p95 (5-min) ${withUnit(plain(p95), tail)}`;
  return `${title}${place}: mean ${withUnit(plain(average), tail)}, max. ${withUnit(plain(most), tail)}${percentile}.`;
}
