/** Failovers of the time range by cause, and the gateways of the shown paths over it. */
import { useQuery } from "@tanstack/react-query";
import { pathHistoriesQuery } from "@/api/failover";
import { recentFailoversQuery } from "@/api/queries";
import { useRange } from "@/api/scope";
import type { Path } from "@/api/types";
import classes from "./PathsPage.module.css";
import { Timeline } from "./Timeline";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { EventGroupList } from "@/ui/lists/EventGroupList";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { useClock } from "@/ui/useClock";
import { describe, span } from "@/util/time";

/** Maximum number of path histories drawn at once. */
const MOST_HISTORIES = 200;

export function Failovers({ site }: { site: string }) {
  const [range] = useRange();
  const now = useClock(30_000) / 1000;
  const groups = useQuery(recentFailoversQuery(site, range));
  return (
    <Panel title={`Failovers, ${describe(range)}`} aside={<Anchor href="/events">All events</Anchor>} flush>
      <QueryBoundary query={groups} what="the failovers">
        {({ items, total }) =>
          items.length === 0 ? (
            <p className={classes.none}>No path has moved, died or returned in the {describe(range)}.</p>
          ) : (
            <>
              <EventGroupList groups={items} now={now} label="Failovers by cause" />
              {total > items.length && (
                <p className={classes.none}>
                  <Anchor href="/events">and {total - items.length} more</Anchor>
                </p>
              )}
            </>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

interface HistoryProps {
  site: string;
  /** Paths that the table shows. */
  paths: readonly Path[];
  /** Whether more paths are in closed groups. */
  hint: boolean;
}

export function History({ site, paths, hint }: HistoryProps) {
  const [range] = useRange();
  const now = useClock(2000) / 1000;
  const shown = paths.slice(0, MOST_HISTORIES);
  const ids = shown.map(({ id }) => id);
  const histories = useQuery({ ...pathHistoriesQuery(site, ids, range), enabled: ids.length > 0 });
  const bounds = span(range, now);
  return (
    <Panel title={`Active gateway history, ${describe(range)}`} flush>
      {hint && <p className={classes.none}>Open a group to see the history of its nodes here.</p>}
      {shown.length === 0 ? null : bounds === null ? (
        <EmptyState title="Invalid time range.">Select another range in the top bar.</EmptyState>
      ) : (
        <QueryBoundary query={histories} what="the path history">
          {(found) => (
            <Timeline
              tracks={shown.flatMap((path) => {
                const history = found.find(({ path_id }) => path_id === path.id);
                return history === undefined ? [] : [{ path, history }];
              })}
              start={Date.parse(found[0]?.since ?? "") / 1000 || bounds.start}
              end={Date.parse(found[0]?.until ?? "") / 1000 || bounds.end}
            />
          )}
        </QueryBoundary>
      )}
    </Panel>
  );
}
