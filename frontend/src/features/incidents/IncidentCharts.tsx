/** What is measured of the objects of an incident, around its time; drawn by the features of the objects. */
import type { ReactNode } from "react";
import type { IncidentDetail } from "@/api/types";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import type { Range } from "@/util/time";
import { count } from "@/util/units";

type Charts = IncidentDetail["charts"];

/** How other features draw the history of an object. */
export interface Drawings {
  readonly link: (id: number, range: Range) => ReactNode;
  readonly metric: (metric: Charts["metrics"][number], range: Range) => ReactNode;
  /** The last offsets of a node's clock. */
  readonly clock: (site: string, node: string) => ReactNode;
  readonly paths: (site: string, paths: Charts["paths"], range: Range) => ReactNode;
}

interface Props {
  site: string;
  charts: Charts;
  drawings: Drawings;
}

export function IncidentCharts({ site, charts, drawings }: Props) {
  const { metrics, link_ids, paths, clock, more, start, end } = charts;
  const range: Range = { from: start, to: end ?? "now" };
  if (clock === null && metrics.length + link_ids.length + paths.length === 0)
    return (
      <Panel title="Charts" flush>
        <EmptyState title="Nothing about this incident is measured over time.">
          Its objects have neither a link, a path, nor a metric with a stored history; see the evidence and
          the timeline.
        </EmptyState>
      </Panel>
    );
  return (
    <>
      {clock !== null && drawings.clock(site, clock)}
      {metrics.map((metric) => (
        <div key={`${metric.metric} ${metric.subject}`}>{drawings.metric(metric, range)}</div>
      ))}
      {paths.length > 0 && drawings.paths(site, paths, range)}
      {link_ids.map((link) => (
        <div key={link}>{drawings.link(link, range)}</div>
      ))}
      {more > 0 && (
        <p className="dim">
          {count(more, "further object")} of this incident {more === 1 ? "has" : "have"} a history: see the
          objects under “About”.
        </p>
      )}
    </>
  );
}
