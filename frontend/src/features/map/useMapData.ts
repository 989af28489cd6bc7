/** Data of the map from the query cache, which the live stream updates. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { staleAt, useLiveStream } from "@/api/connection";
import { eventsList, pastTopologyQuery, pathsQuery, policiesQuery, topologyQuery } from "@/api/queries";
import { pathTroublesQuery, selectedPathsQuery } from "./mapQueries";
import type { Path, Policy, Site, Topology } from "@/api/types";
import { isLarge } from "./nodeGroups";
import type { HeadlinePaths } from "./headline";
import type { MapFilters } from "./mapFilters";
import { type Changed, changedOf } from "./recentChanges";

const NO_PATHS: readonly Path[] = [];
const NO_POLICIES: readonly Policy[] = [];

/** Resolution at which halos expire. */
const MINUTE_MS = 60_000;

export interface MapData {
  readonly topology: Topology | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Paths to filter by; in a large site only those of the chosen node or policy. */
  readonly paths: readonly Path[];
  readonly headlinePaths: HeadlinePaths;
  readonly policies: readonly Policy[];
  readonly changed: Changed;
  readonly stale: boolean;
}

/** Whether the live data is stale; rerenders only when that changes. Waits with one timer, which every message postpones. */
export function useStale(intervalSeconds: number): boolean {
  const stream = useLiveStream();
  const [openedAt] = useState(() => Date.now());
  const [stale, setStale] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      const at = staleAt(stream.snapshot(), openedAt, intervalSeconds);
      const left = at - Date.now();
      setStale(left < 0);
      if (left >= 0 && left < Infinity) timer = setTimeout(look, left + 1);
    };
    look();
    const leave = stream.subscribe(look);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [stream, openedAt, intervalSeconds]);
  return stale;
}

const NO_TROUBLES: HeadlinePaths = { paths: NO_PATHS, total: null, isComplete: true };

/** All paths of a small site; of a large one those with a fault, and those of the chosen node and policy. */
function useMapPaths(
  site: string,
  nodes: Topology["nodes"] | undefined,
  { node, policy }: MapFilters,
): Pick<MapData, "paths" | "headlinePaths"> {
  const large = nodes !== undefined && isLarge(nodes);
  const { data: all = NO_PATHS } = useQuery({ ...pathsQuery(site), enabled: nodes !== undefined && !large });
  const { data: troubles } = useQuery({ ...pathTroublesQuery(site), enabled: large });
  const isChosen = large && (node !== "" || policy !== "");
  const { data: chosen } = useQuery({ ...selectedPathsQuery(site, node, policy), enabled: isChosen });
  return useMemo(() => {
    if (!large) return { paths: all, headlinePaths: { paths: all, total: all.length, isComplete: true } };
    const headlinePaths = troubles ? { ...troubles, total: null } : NO_TROUBLES;
    return { paths: isChosen && chosen ? chosen : NO_PATHS, headlinePaths };
  }, [large, all, troubles, isChosen, chosen]);
}

const NOTHING_CHANGED: Changed = { nodes: new Set(), links: new Set() };

/** The map at a past moment: which paths used the links then is unknown, and nothing moves. */
export function usePastMapData(site: Pick<Site, "name">, at: string): MapData {
  const { data: topology, error, refetch } = useQuery(pastTopologyQuery(site.name, at));
  return {
    topology,
    error,
    retry: () => void refetch(),
    paths: NO_PATHS,
    headlinePaths: NO_TROUBLES,
    policies: NO_POLICIES,
    changed: NOTHING_CHANGED,
    stale: false,
  };
}

export function useMapData(site: Pick<Site, "name" | "interval_s">, filters: MapFilters): MapData {
  const { data: topology, error, refetch } = useQuery(topologyQuery(site.name));
  const { paths, headlinePaths } = useMapPaths(site.name, topology?.nodes, filters);
  const { data: policies = NO_POLICIES } = useQuery(policiesQuery(site.name));
  const { data: events } = useInfiniteQuery(eventsList(site.name, { start: "now-15m", limit: 100 }));
  const stale = useStale(site.interval_s);
  const minute = Math.floor(Date.parse(topology?.at ?? "1970-01-01T00:00:00Z") / MINUTE_MS);
  const [nodes, version] = [topology?.nodes, topology?.version];
  const changed = useMemo(
    () =>
      changedOf(
        events?.pages.flatMap((page) => page.items) ?? [],
        headlinePaths.paths,
        { nodes: nodes ?? [], links: topology?.links ?? [] },
        minute * MINUTE_MS,
      ),
    // `version` replaces the links, whose loads change every second.
    // oxlint-disable-next-line react/exhaustive-deps
    [events, headlinePaths, nodes, version, minute],
  );
  return { topology, error, retry: () => void refetch(), paths, headlinePaths, policies, changed, stale };
}
