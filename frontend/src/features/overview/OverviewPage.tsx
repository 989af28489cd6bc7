/** The overview: six tiles, the map, failover and the busiest links. One response contains all but the map. */
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { LATE_S } from "@/api/connection";
import { overviewQuery } from "@/api/queries";
import { useRange, useSite } from "@/api/scope";
import type { Overview } from "@/api/types";
import { FallbackTile, Tiles } from "./Tiles";
import { FallbackSummary } from "./FallbackSummary";
import classes from "./OverviewPage.module.css";
import { TopLinks } from "./TopLinks";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { useClock } from "@/ui/useClock";
import { clock } from "@/util/time";
import { duration } from "@/util/units";

/** `miniMap` renders the map of a site; routes.tsx provides it because features do not import each other. */
export function OverviewPage({ miniMap }: { miniMap: (site: string) => ReactNode }) {
  const site = useSite();
  const [range] = useRange();
  const overview = useQuery({ ...overviewQuery(site?.name ?? "", range), enabled: site !== undefined });
  return (
    <>
      <PageHeader
        title="Overview"
        headline={overview.data?.headline ?? ""}
        aside={overview.data !== undefined && <AsOf at={overview.data.at} />}
      />
      <QueryBoundary query={overview} what="the overview">
        {(data) => <Evidence overview={data} map={miniMap(data.site.name)} />}
      </QueryBoundary>
    </>
  );
}

/** Time of the snapshot, and its age when no newer one arrives: an old headline must not look current. */
export function AsOf({ at }: { at: string }) {
  const now = useClock();
  // When this browser first saw it: its clock may differ from the server's.
  const [seen, setSeen] = useState({ at, received: now });
  if (seen.at !== at) setSeen({ at, received: now });
  const age = (now - seen.received) / 1000;
  const isLate = age > LATE_S;
  return (
    <span className={isLate ? classes.late : "dim num"} data-testid="as-of">
      as of <time dateTime={at}>{clock(at).slice(11)}</time>
      {isLate && `, not updated for ${duration(age)}`}
    </span>
  );
}

function Evidence({ overview, map }: { overview: Overview; map: ReactNode }) {
  return (
    <div className={classes.page}>
      <Tiles tiles={overview.tiles}>
        <FallbackTile fallbacks={overview.fallbacks} />
      </Tiles>
      <div className={classes.evidence}>
        <Panel title="Map" aside={<Anchor href="/map">Open the map</Anchor>} flush>
          <div className={classes.map}>{map}</div>
        </Panel>
        <div className={classes.column}>
          <FallbackSummary overview={overview} />
        </div>
      </div>
      <Panel title="Busiest links" aside={<Anchor href="/links?sort=-utilisation">All links</Anchor>} flush>
        {overview.top_links.length === 0 ? (
          <EmptyState title="No link has reported yet.">
            Load appears with the first reports of the agents.
          </EmptyState>
        ) : (
          <TopLinks links={overview.top_links} />
        )}
      </Panel>
    </div>
  );
}
