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
