/** Sentences and curves of the forecasts of exhaustion. Pure. */
import type { ForecastChart, LinkForecast } from "@/api/models/capacity";
import type { Curves } from "@/ui/chart/curves";
import type { Mark } from "@/ui/chart/marks";
import type { Range } from "@/util/time";

type Dated = Pick<LinkForecast, "forecast" | "is_stale" | "day" | "full_on" | "reason">;

export const FORECASTS: Record<LinkForecast["forecast"], string> = {
  saturated: "saturated",
  within_year: "within a year",
  not_within_year: "not within a year",
  unknown: "no forecast",
};

/** `2027-03-01`, `saturated`, or why there is no date. */
export function fullOn({ forecast, is_stale, day, full_on, reason }: Dated): string {
  if (is_stale) return `no forecast: the newest is of ${day}`;
  if (forecast === "unknown") return `no forecast: ${reason}`;
  return forecast === "within_year" && full_on !== null ? full_on : FORECASTS[forecast];
}

/** `2027-02-20 to 2027-03-12`; empty without a forecast. */
export function intervalText({ is_stale, earliest, latest }: LinkForecast): string {
  if (is_stale || earliest === null) return "";
  return `${earliest} to ${latest ?? "later"}`;
}

/** Days until this one after the interval are drawn. */
const BEYOND_DAYS = 30;

/** Unix seconds of the start of a day in UTC. */
const startOf = (day: string): number => Date.parse(day) / 1000;

/** The days with values; of the future there is nothing to mark. */
export function measuredRange({ days, day }: Pick<ForecastChart, "days" | "day">): Range {
  return { from: `${days[0] ?? day}T00:00:00Z`, to: `${day}T23:59:59Z` };
}

/** Daily values, trend and interval; without a forecast the values only. */
export function curvesOf(chart: ForecastChart, marks: readonly Mark[] = []): Curves {
  const isDrawn = chart.forecast === "within_year" || chart.forecast === "not_within_year";
  const last = chart.latest === null ? -1 : chart.days.indexOf(chart.latest);
  const end = last < 0 ? chart.days.length : last + BEYOND_DAYS;
  const days = chart.days.slice(0, end);
  return {
    across: "day (UTC)",
    x: days.map(startOf),
    labels: days,
    lines: [
      { label: "daily 95th percentile", rates: chart.values.slice(0, end) },
      ...(isDrawn
        ? [
            { label: "trend", rates: chart.trend.slice(0, end) },
            { label: "80 % interval, upper", rates: chart.high.slice(0, end) },
            { label: "80 % interval, lower", rates: chart.low.slice(0, end) },
          ]
        : []),
    ],
    ...(isDrawn ? { band: [2, 3] as const } : {}),
    capacity: chart.usable_rate,
    scaling: null,
    isLogarithmic: false,
    marks,
  };
}
