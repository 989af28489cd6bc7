/** Gateways, switches and outages of some paths in a fixed range, for pages about something that happened to them. */
import { useQuery } from "@tanstack/react-query";
import { pathHistoriesQuery } from "@/api/failover";
import { Timeline } from "./Timeline";
import type { Track } from "./timeline";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { describe, type Range } from "@/util/time";

interface Props {
  site: string;
  /** In this order. */
  paths: readonly Track["path"][];
  range: Range;
}

const unix = (iso: string): number => Date.parse(iso) / 1000;

export function PathPeriod({ site, paths, range }: Props) {
  const histories = useQuery(
    pathHistoriesQuery(
      site,
      paths.map(({ id }) => id),
      range,
    ),
  );
  return (
    <Panel title={`Paths, ${describe(range)}`} flush>
      <QueryBoundary query={histories} what="the history of its paths">
        {(found) => {
          const tracks = paths.flatMap((path) => {
            const history = found.find(({ path_id }) => path_id === path.id);
            return history === undefined ? [] : [{ path, history }];
          });
          const [first] = tracks;
          return first === undefined ? (
            <EmptyState title="No history is stored of this time." />
          ) : (
            <Timeline tracks={tracks} start={unix(first.history.since)} end={unix(first.history.until)} />
          );
        }}
      </QueryBoundary>
    </Panel>
  );
}
