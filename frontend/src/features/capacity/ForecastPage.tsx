/** When links are full: the first to be full first; poor fits have a reason instead of numbers. */
import { useQuery } from "@tanstack/react-query";
import {
  forecastsList,
  forecastStatusQuery,
  type ForecastStatus,
  type LinkForecast,
} from "@/api/models/capacity";
import { useListPage } from "@/api/useListPage";
import classes from "./Capacity.module.css";
import { FORECASTS, fullOn, intervalText } from "./forecasts";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { ListTable } from "@/ui/table/ListTable";
import { percent, rate } from "@/util/units";

const COLUMNS: readonly Column<LinkForecast>[] = [
  {
    id: "name",
    sortable: true,
    header: "link",
    value: ({ name, start, end }) => `${name} (${start} → ${end})`,
    cell: ({ name, start, end }) => (
      <span>
        {name}{" "}
        <span className="dim">
          {start} → {end}
        </span>
      </span>
    ),
  },
  {
    id: "utilisation",
    sortable: true,
    header: "current",
    csvHeader: "current (0..1 of the usable rate)",
    align: "right",
    value: ({ utilisation }) => utilisation,
    cell: ({ utilisation, current_bps }) =>
      current_bps === null ? null : (
        <span className="num">
          <span className="dim">{rate(current_bps)}</span> {utilisation !== null && percent(utilisation)}
        </span>
      ),
    wide: true,
  },
  {
    id: "usable_rate",
    sortable: true,
    header: "usable",
    csvHeader: "usable (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => <span className="num">{rate(usable_rate)}</span>,
    wide: true,
  },
  {
    id: "full_on",
    sortable: true,
    header: "full on",
    value: fullOn,
    cell: (row) => (
      <span className={classes.inline}>
        <StateBadge state={row.state} text={fullOn(row)} quiet />
        {fullOn(row)}
      </span>
    ),
  },
  {
    id: "interval",
    header: "80 % interval",
    value: intervalText,
    cell: (row) => <span className="num">{intervalText(row)}</span>,
    wide: true,
  },
  {
    id: "error",
    sortable: true,
    header: "back-test error",
    csvHeader: "mean absolute percentage error of the back-test (0..1)",
    align: "right",
    value: ({ error }) => error,
    cell: ({ error, naive_error }) =>
      error === null ? null : (
        <span className="num" title={`Last value carried forward: ${percent(naive_error)}`}>
          {percent(error)}
        </span>
      ),
    wide: true,
  },
];

export function ForecastPage() {
  const list = useListPage(forecastsList, {
    columns: COLUMNS,
    filters: { forecast: "", fabric: "", node: "" },
  });
  const status = useQuery({ ...forecastStatusQuery(list.site ?? ""), enabled: list.site !== undefined });
  return (
    <>
      <PageHeader title="Forecast" headline={status.data && <Headline status={status.data} />}>
        <ButtonLink href="/capacity">Will it hold?</ButtonLink>
      </PageHeader>
      <ListTable
        list={list}
        label="Forecasts"
        noun="link directions"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        search="Search by link"
        filters={[
          {
            name: "forecast",
            label: "Forecast",
            choices: [
              { value: "", label: "all forecasts" },
              ...Object.entries(FORECASTS).map(([value, label]) => ({ value, label })),
            ],
          },
        ]}
        none={
          <EmptyState title="No forecast has been computed yet.">
            Forecasts are computed once a day from the daily roll-ups of each link.
          </EmptyState>
        }
      />
      <p className="dim">
        The load of a day is the 95th percentile of its 5-minute means. Forecasts continue the trend of normal
        operation; what a link carries after a failure is under “Will it hold?”.
      </p>
    </>
  );
}

function Headline({ status }: { status: ForecastStatus }) {
  return (
    <>
      {status.headline}.
      {status.computed_at !== null && (
        <span className="dim">
          {" "}
          Computed <AgeStamp at={status.computed_at} suffix="ago" />
          {status.error === "" ? "" : `. The newest attempt failed: ${status.error}`}
        </span>
      )}
    </>
  );
}
