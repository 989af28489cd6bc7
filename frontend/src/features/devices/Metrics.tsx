/** Device metrics besides traffic, and the history of the selected one. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { figuresQuery, type FigureFilter, figureHistoryQuery } from "@/api/queries";
import { useParam, useRange } from "@/api/scope";
import type { Figure } from "@/api/types";
import { formatMetric, describeHistory } from "./metric";
import classes from "./DevicePage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { parseSort, type Column } from "@/ui/table";
import { duration } from "@/util/units";
import { Sparkline } from "@/ui/chart/Sparkline";
import { describe } from "@/util/time";

const STATES = [
  { value: "", label: "all states" },
  { value: "warning", label: "warning" },
  { value: "unknown", label: "unknown" },
  { value: "ok", label: "ok" },
] as const;
type StateChoice = (typeof STATES)[number]["value"];

/** Rows rendered at first. */
const ROWS = 25;

function columns(chosen: string, choose: (id: string) => void): readonly Column<Figure>[] {
  return [
    {
      id: "subject",
      header: "part",
      value: ({ subject }) => subject,
      cell: ({ subject }) => (subject === "" ? <span className="dim">the device</span> : subject),
    },
    {
      id: "name",
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
      header: "state",
      value: ({ state }) => state,
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      id: "value",
      header: "now",
      align: "right",
      value: ({ value, reported_state }) => reported_state ?? value,
      cell: (figure) => <span className="num">{formatMetric(figure)}</span>,
    },
    {
      id: "sentence",
      header: "description",
      value: ({ sentence }) => sentence,
      cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
      wide: true,
    },
    {
      id: "age",
      header: "last reported",
      csvHeader: "age (s)",
      align: "right",
      value: ({ age_s }) => age_s,
      cell: ({ age_s }) => `${duration(age_s)} ago`,
      wide: true,
    },
  ];
}

/** Columns that the server can sort by. */
const SORTABLE: ReadonlySet<string> = new Set(["subject", "name", "state", "value", "age"]);

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
  const { data } = useInfiniteQuery(figuresQuery(node, { state: "warning" }));
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
  const [q, setQ] = useParam("part", "");
  const [state, setState] = useParam<StateChoice>("figures", "");
  const [chosen, setChosen] = useParam("figure", "");
  const [sort, setSort] = useParam("figure_sort", "subject");
  // The server sorts, because not all rows are here.
  const filter: FigureFilter = {
    ...(q === "" ? {} : { q }),
    ...(state === "" ? {} : { state }),
    ...(SORTABLE.has(parseSort(sort).id) ? { sort } : {}),
  };
  const figures = useInfiniteQuery(figuresQuery(node, filter));
  return (
    <Panel
      title="Device metrics"
      aside={
        <Warnings
          node={node}
          active={state === "warning"}
          show={(enabled) => setState(enabled ? "warning" : "")}
        />
      }
      flush
    >
      <QueryBoundary query={figures} what="the device metrics">
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          const selected = rows.find(({ id }) => id === chosen);
          return (
            <>
              {selected !== undefined && <MetricHistory node={node} figure={selected} />}
              <DataTable
                label={`Metrics of ${name}`}
                noun={figures.hasNextPage ? "metrics, and more" : "metrics"}
                rows={rows}
                columns={columns(chosen, setChosen)}
                rowKey={({ id }) => id}
                sort={sort}
                onSort={setSort}
                step={ROWS}
                tools={
                  <>
                    <TextFilter label="Search parts and metrics" value={q} onChange={setQ} />
                    <ChoiceFilter
                      label="State of metrics"
                      value={state}
                      choices={STATES}
                      onChange={setState}
                    />
                  </>
                }
                empty={
                  <EmptyState
                    title={
                      q === "" && state === ""
                        ? "This device reports no metrics besides traffic."
                        : "No metrics match these filters."
                    }
                  />
                }
              />
              {figures.hasNextPage && (
                <Button
                  size="xs"
                  variant="default"
                  m={8}
                  loading={figures.isFetchingNextPage}
                  onClick={() => void figures.fetchNextPage()}
                >
                  Load more metrics
                </Button>
              )}
            </>
          );
        }}
      </QueryBoundary>
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
                  In the {describe(range)}. {sentence}
                </span>
              </p>
            </>
          );
        }}
      </QueryBoundary>
    </div>
  );
}
