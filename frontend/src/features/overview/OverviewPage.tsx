/** The overview: tiles, the map, failover and the busiest links. One response contains all but the map. */
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { LATE_S } from "@/api/connection";
import { overviewQuery, pastOverviewQuery } from "@/api/queries";
import { usePast, useRange, useSite } from "@/api/scope";
import type { Overview, PastOverview } from "@/api/types";
import { NotKeptTile, PastTiles } from "./HistoryTiles";
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
import { count, duration } from "@/util/units";

interface Props {
  /** Renders the map of a site, live or at a moment; routes.tsx provides it because features do not import each other. */
  miniMap: (site: string, at: string | null) => ReactNode;
}

export function OverviewPage({ miniMap }: Props) {
  const past = usePast();
  return past === null ? (
    <PresentOverview miniMap={miniMap} />
  ) : (
    <OverviewThen miniMap={miniMap} at={past.at} />
  );
}

/** The overview at a past moment: nothing in it moves. */
function OverviewThen({ miniMap, at }: Props & { at: string }) {
  const site = useSite();
  const [{ from }] = useRange();
  const query = pastOverviewQuery(site?.name ?? "", at, from);
  const overview = useQuery({ ...query, enabled: site !== undefined });
  return (
    <>
      <PageHeader title="Overview" headline={overview.data?.headline ?? ""} />
      <QueryBoundary query={overview} what="the overview">
        {(data) => (
          <Evidence
            overview={data}
            map={miniMap(data.site.name, at)}
            tiles={
              <PastTiles overview={data}>
                <NotKeptTile names={data.not_kept} />
              </PastTiles>
            }
            none={
              <EmptyState title="No link was measured at that time.">
                Loads come from the history of the devices.
              </EmptyState>
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}

function PresentOverview({ miniMap }: Props) {
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
        {(data) => (
          <Evidence
            overview={data}
            map={miniMap(data.site.name, null)}
            tiles={
              <Tiles tiles={data.tiles}>
                <FallbackTile fallbacks={data.fallbacks} />
              </Tiles>
            }
            none={
              <EmptyState title="No link has reported yet.">
                Load appears with the first reports of the agents.
              </EmptyState>
            }
          />
        )}
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

/** Nodes up to which the overview draws the map: a larger one is a picture of racks, of which the topology is most of a megabyte. */
const MOST_DRAWN = 2000;

interface EvidenceProps {
  overview: Overview | PastOverview;
  map: ReactNode;
  tiles: ReactNode;
  /** Shown if no link has a load. */
  none: ReactNode;
}

function Evidence({ overview, map, tiles, none }: EvidenceProps) {
  return (
    <div className={classes.page}>
      {tiles}
      <div className={classes.evidence}>
        <Panel title="Map" aside={<Anchor href="/map">Open the map</Anchor>} flush>
          <div className={classes.map}>
            {overview.nodes_total > MOST_DRAWN ? <LargeMap nodes={overview.nodes_total} /> : map}
          </div>
        </Panel>
        <div className={classes.column}>
          <FallbackSummary overview={overview} />
        </div>
      </div>
      <Panel title="Busiest links" aside={<Anchor href="/links?sort=-utilisation">All links</Anchor>} flush>
        {overview.top_links.length === 0 ? (
          none
        ) : (
          <TopLinks site={overview.site.name} links={overview.top_links} />
        )}
      </Panel>
    </div>
  );
}

function LargeMap({ nodes }: { nodes: number }) {
  return (
    <EmptyState title={`${count(nodes, "node")} are too many for a small map.`}>
      The <Anchor href="/map">map page</Anchor> shows them as racks that open on demand.
    </EmptyState>
  );
}
