/** The map in small, for the overview: live, still, and one click away from the real one. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { topologyQuery } from "@/api/queries";
import { Anchor } from "@/ui/Anchor";
import { EmptyState, ErrorState, Waiting } from "@/ui/ErrorState";
import { StaticGraph } from "@/ui/graph/StaticGraph";
import { useScheme } from "@/ui/useScheme";
import { draw } from "./drawn";
import { makeScene } from "./scene";
import classes from "./MiniMap.module.css";
import { useStale } from "./useMapData";

const NONE_OPEN: ReadonlySet<string> = new Set();
const NOTHING_STANDS_OUT = { nodes: new Map(), links: new Map(), strokes: new Map() } as const;
const NOTHING_CHANGED = { nodes: new Set<number>(), links: new Set<number>() } as const;

export function MiniMap({ site }: { site: string }) {
  const scheme = useScheme();
  const { data: topology, error, refetch } = useQuery(topologyQuery(site));
  const stale = useStale(topology?.site.interval_s ?? 5);
  const scene = useMemo(
    () =>
      topology &&
      makeScene({
        drawn: draw(topology, NONE_OPEN),
        standing: NOTHING_STANDS_OUT,
        changed: NOTHING_CHANGED,
        rateScale: topology.site.rate_scale,
        stale,
      }),
    [topology, stale],
  );
  if (error && !scene)
    return (
      <ErrorState title="The map cannot be drawn" message={error.message} onRetry={() => void refetch()} />
    );
  if (!scene) return <Waiting what="the topology" />;
  if (scene.nodes.length === 0)
    return (
      <EmptyState title="Nothing is known of this site yet">
        Import its site file to see its networks.
      </EmptyState>
    );
  return (
    <Anchor href="/map" className={classes.mini} data-testid="mini-map">
      <span className="visually-hidden">Open the map: </span>
      <StaticGraph
        scene={scene}
        scheme={scheme}
        label={`Networks of ${site}, ${scene.nodes.length} nodes`}
        width={560}
        height={260}
      />
    </Anchor>
  );
}
