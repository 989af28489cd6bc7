/** Formats device metrics. Pure. */
import type { Figure, FigureHistory } from "@/api/types";
import { amount as plain, NONE } from "@/util/units";

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
}: Pick<FigureHistory, "title" | "subject" | "unit" | "per_second" | "mean" | "max">): string {
  const known = mean.filter((value) => value !== null);
  const place = subject === "" ? "" : ` of ${subject}`;
  if (known.length === 0) return `${title}${place}: no data in this time range.`;
  const tail = per_second ? `${unit}/s` : unit;
  const average = known.reduce((sum, value) => sum + value, 0) / known.length;
  const most = Math.max(...max.filter((value) => value !== null));
  return `${title}${place}: mean ${withUnit(plain(average), tail)}, max. ${withUnit(plain(most), tail)}.`;
}
