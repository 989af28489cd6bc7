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
  return useMemo(() => pastOf(to), [to]);
}

/** A relative end is resolved once, so that the page stays at one moment. */
function pastOf(to: string): Past | null {
  const end = pastEnd(to, Date.now() / 1000);
  return end === null ? null : { at: new Date(end * 1000).toISOString() };
}

/** The map at a moment. Its key is not that of the present map, which the live stream patches. */
export const pastTopologyQuery = (site: string, at: string) =>
  queryOptions({
    queryKey: ["past-topology", site, at],
    queryFn: () => unwrap(client.GET("/api/v1/topology/past", { params: { query: { site, at } } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
