/** Small map without interaction, for the overview: live, or of a past moment. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { pastTopologyQuery, topologyQuery } from "@/api/queries";
import type { Topology } from "@/api/types";
import { Anchor } from "@/ui/Anchor";
import { EmptyState, ErrorState, Waiting } from "@/ui/ErrorState";
import { StaticGraph } from "@/ui/graph/StaticGraph";
import { useScheme } from "@/ui/useScheme";
import { siteGroups } from "./nodeGroups";
import { modelBuilder } from "./mapModel";
import { sceneBuilder } from "./scene";
import classes from "./MiniMap.module.css";
import { useStale } from "./useMapData";

const NONE_OPEN: ReadonlySet<string> = new Set();
const NO_EMPHASIS = { nodes: new Map(), links: new Map(), strokes: new Map() } as const;
const NOTHING_CHANGED = { nodes: new Set<number>(), links: new Set<number>() } as const;

export function MiniMap({ site }: { site: string }) {
  const { data, error, refetch } = useQuery(topologyQuery(site));
  const stale = useStale(data?.site.interval_s ?? 5);
  return <Picture site={site} topology={data} error={error} retry={() => void refetch()} stale={stale} />;
}

export function PastMiniMap({ site, at }: { site: string; at: string }) {
  const { data, error, refetch } = useQuery(pastTopologyQuery(site, at));
  return <Picture site={site} topology={data} error={error} retry={() => void refetch()} stale={false} />;
}

interface PictureProps {
  site: string;
  topology: Topology | undefined;
  error: Error | null;
  retry: () => void;
  stale: boolean;
}

function Picture({ site, topology, error, retry, stale }: PictureProps) {
  const scheme = useScheme();
  const [buildModel] = useState(modelBuilder);
  const [buildScene] = useState(sceneBuilder);
  const version = topology && `${topology.site.name} ${topology.version}`;
  // `version` replaces nodes and links, whose states and loads change.
  // oxlint-disable-next-line react/exhaustive-deps
  const groups = useMemo(() => topology && siteGroups(topology, null), [version]);
  const scene = useMemo(
    () =>
      topology &&
      groups &&
      buildScene({
        model: buildModel(topology, NONE_OPEN, groups),
        emphasis: NO_EMPHASIS,
        changed: NOTHING_CHANGED,
        rateScale: topology.site.rate_scale,
        stale,
      }),
    [topology, groups, stale, buildModel, buildScene],
  );
  if (error && !scene)
    return <ErrorState title="The map cannot be displayed" message={error.message} onRetry={retry} />;
  if (!scene) return <Waiting what="the topology" />;
  if (scene.nodes.length === 0)
    return (
      <EmptyState title="This site has no topology yet">Import its site file to see its networks.</EmptyState>
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
