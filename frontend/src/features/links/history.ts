/** Converts the history of a link into the series of the chart. Pure. */
import type { Link, LinkHistory } from "@/api/types";
import type { BidirectionalSeries } from "@/ui/chart/shape";

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
    },
    down: {
      label: `to ${link.source.node}`,
      mean: history.back_mean,
      max: history.back_max,
      p95: history.back_p95,
    },
    capacity: history.usable_rate,
    resets: history.resets,
  };
}

const LEVELS: Readonly<Record<LinkHistory["level"], string>> = {
  samples: "",
  "5m": ", 5-minute values",
  "1h": ", hourly values",
  "1d": ", daily values",
};

/** `measured at grf1:ga031, hourly values`. */
export const sourceText = ({ measured_at, level }: Pick<LinkHistory, "measured_at" | "level">): string =>
  `measured at ${measured_at}${LEVELS[level]}`;

/** What the chart does not show, or only estimates, as sentences. */
export function notesOf({ gaps, p95_exact }: Pick<LinkHistory, "gaps" | "p95_exact">): string[] {
  const estimated = "The 95th percentile is an estimate: 5-minute values are not stored for the whole range.";
  return [...(p95_exact ? [] : [estimated]), ...gaps.map(({ text }) => text)];
}
