/** One forecast: daily values, trend, interval, and the back-test in words. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useParams } from "react-router";
import { forecastQuery, type ForecastChart } from "@/api/models/capacity";
import { useAnnotations } from "@/api/ports/annotations";
import { curvesOf, fullOn, intervalText, measuredRange } from "./forecasts";
import { ButtonLink } from "@/ui/ButtonLink";
import { CurveChart, type CurveView } from "@/ui/chart/CurveChart";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { percent } from "@/util/units";

export function LinkForecastPage() {
  const id = Number(useParams()["id"]);
  const query = useQuery(forecastQuery(id));
  return (
    <QueryBoundary query={query} what="the forecast" page="Forecast">
      {(chart) => <Forecast chart={chart} />}
    </QueryBoundary>
  );
}

function Forecast({ chart }: { chart: ForecastChart }) {
  const [view, setView] = useState<CurveView>("chart");
  const marks = useAnnotations(measuredRange(chart), { links: [chart.link] });
  const curves = useMemo(() => curvesOf(chart, marks), [chart, marks]);
  const label = `${chart.name}, ${chart.start} → ${chart.end}`;
  return (
    <>
      <PageHeader title={label} headline={headline(chart)}>
        <ButtonLink href={`/links/${chart.link}`}>Open the link</ButtonLink>
      </PageHeader>
      <Panel title="Daily load">
        {chart.values.every((value) => value === null) ? (
          <EmptyState title="No day has a value." />
        ) : (
          <CurveChart label={label} curves={curves} view={view} onView={setView} />
        )}
        <p className="dim">{backTest(chart)}</p>
      </Panel>
    </>
  );
}

/** `Full on 2027-03-01, 80 % interval 2027-02-20 to 2027-03-12.` */
function headline(chart: ForecastChart): string {
  const interval = intervalText(chart);
  const text = `Full on: ${fullOn(chart)}`.replace(/\.$/, "");
  return `${text}${interval === "" ? "" : `, 80 % interval ${interval}`}.`;
}

function backTest({ error, naive_error, day, is_stale }: ForecastChart): string {
  const rests = `Rests on values up to ${day} (UTC).`;
  if (error === null || is_stale) return rests;
  return (
    `A forecast of the newest quarter of the days, from the days before, was off by ${percent(error)} in the mean;` +
    ` the last value carried forward by ${percent(naive_error)}. ${rests}`
  );
}
