/** The moment that pages show while the time range ends in the past, and the queries of its state. */
import { useMemo } from "react";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { useRange } from "@/api/scope";
import { pastEnd } from "@/util/time";

export interface Past {
  /** RFC 3339. */
  readonly at: string;
}

/** The end of the URL's range; null while it is now. */
export function usePast(): Past | null {
  const [{ to }] = useRange();
  return useMemo(() => {
    const now = Date.now() / 1000;
    const end = pastEnd(to, now);
    return end === null ? null : { at: new Date(end * 1000).toISOString() };
  }, [to]);
}

/** The map at a moment. Its key is not that of the present map, which the live stream patches. */
export const pastTopologyQuery = (site: string, at: string) =>
  queryOptions({
    queryKey: ["past-topology", site, at],
    queryFn: () => unwrap(client.GET("/api/v1/topology/past", { params: { query: { site, at } } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
