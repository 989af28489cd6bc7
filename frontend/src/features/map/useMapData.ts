/** Data of the map from the query cache, which the live stream updates. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { isStale, useLiveStream } from "@/api/connection";
import { eventsList, pathsQuery, policiesQuery, topologyQuery } from "@/api/queries";
import type { Path, Policy, Site, Topology } from "@/api/types";
import { type Changed, changedOf } from "./recentChanges";

const NO_PATHS: readonly Path[] = [];
const NO_POLICIES: readonly Policy[] = [];

/** Resolution at which halos expire. */
const MINUTE_MS = 60_000;

export interface MapData {
  readonly topology: Topology | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly paths: readonly Path[];
  readonly policies: readonly Policy[];
  readonly changed: Changed;
  readonly stale: boolean;
}

/** Whether the live data is stale; rerenders only when that changes. */
export function useStale(intervalSeconds: number): boolean {
  const stream = useLiveStream();
  const [openedAt] = useState(() => Date.now());
  const [stale, setStale] = useState(false);
  useEffect(() => {
    const look = (): void => setStale(isStale(stream.snapshot(), openedAt, Date.now(), intervalSeconds));
    const timer = setInterval(look, 1000);
    const leave = stream.subscribe(look);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [stream, openedAt, intervalSeconds]);
  return stale;
}

export function useMapData(site: Pick<Site, "name" | "interval_s">): MapData {
  const { data: topology, error, refetch } = useQuery(topologyQuery(site.name));
  const { data: paths = NO_PATHS } = useQuery(pathsQuery(site.name));
  const { data: policies = NO_POLICIES } = useQuery(policiesQuery(site.name));
  const { data: events } = useInfiniteQuery(eventsList(site.name, { start: "now-15m", limit: 100 }));
  const stale = useStale(site.interval_s);
  const minute = Math.floor(Date.parse(topology?.at ?? "1970-01-01T00:00:00Z") / MINUTE_MS);
  const [nodes, version] = [topology?.nodes, topology?.version];
  const changed = useMemo(
    () =>
      changedOf(
        events?.pages.flatMap((page) => page.items) ?? [],
        paths,
        { nodes: nodes ?? [], links: topology?.links ?? [] },
        minute * MINUTE_MS,
      ),
    // `version` replaces the links, whose loads change every second.
    // oxlint-disable-next-line react/exhaustive-deps
    [events, paths, nodes, version, minute],
  );
  return { topology, error, retry: () => void refetch(), paths, policies, changed, stale };
}
