/** Converts the history of a link into the series of the chart. Pure. */
import type { Link, LinkHistory } from "@/api/types";
import { ESTIMATED_P95, levelText, type BidirectionalSeries } from "@/ui/chart/shape";

/** `grf1:ga030`, or the name of the fabric. */
export function formatEnd({ node, port }: Link["source"]): string {
  return port === null ? node : `${node}:${port}`;
}

/** Forward (away from the source) is above zero, back below. */
export function toSeries(history: LinkHistory, link: Pick<Link, "source" | "target">): BidirectionalSeries {
  return {
    at: history.at,
    step: history.step_s,
    up: {
      label: `to ${link.target.node}`,
      mean: history.forward_mean,
      max: history.forward_max,
      p95: history.forward_p95,
      usual: history.baseline?.forward ?? null,
    },
    down: {
      label: `to ${link.source.node}`,
      mean: history.back_mean,
      max: history.back_max,
      p95: history.back_p95,
      usual: history.baseline?.back ?? null,
    },
    capacity: history.usable_rate,
    capacities: history.capacity.map(({ start, usable_rate }) => ({ start, rate: usable_rate })),
    resets: history.resets,
  };
}

/** `measured at grf1:ga031, hourly values`. */
export function sourceText({ measured_at, level }: Pick<LinkHistory, "measured_at" | "level">): string {
  return [`measured at ${measured_at}`, levelText(level)].filter((part) => part !== "").join(", ");
}

const LEAST_WEEKS = 3;

/** What the chart does not show, or only estimates, as sentences. */
export function notesOf({
  gaps,
  p95_exact,
  baseline,
}: Pick<LinkHistory, "gaps" | "p95_exact" | "baseline">): string[] {
  return [
    ...(p95_exact ? [] : [ESTIMATED_P95]),
    ...gaps.map(({ text }) => text),
    ...(baseline === null ? [] : [baselineText(baseline)]),
  ];
}

/** On how many weeks the band rests: `The baseline rests on the same hours of 4 to 8 earlier weeks.` */
function baselineText({ forward, back }: NonNullable<LinkHistory["baseline"]>): string {
  const weeks = [...forward.weeks, ...back.weeks];
  const known = weeks.filter((number) => number >= LEAST_WEEKS);
  if (known.length === 0)
    return `No baseline: fewer than ${LEAST_WEEKS} earlier weeks of these hours are stored.`;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const range = least === most ? `${most}` : `${least} to ${most}`;
  const tail = known.length < weeks.length ? ` It is unknown where there are fewer than ${LEAST_WEEKS}.` : "";
  return `The baseline rests on the hourly means of the same hours (UTC) of ${range} earlier weeks.${tail}`;
}
