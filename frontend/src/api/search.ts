/** Search over every object of a site. */
import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

export type SearchResult = components["schemas"]["SearchResult"];

export const searchQuery = (site: string, text: string) =>
  queryOptions({
    queryKey: ["search", site, text],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/search", { params: { query: { site, q: text } }, signal })),
    enabled: site !== "" && text !== "",
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
  });
