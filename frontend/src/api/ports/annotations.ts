/** Query of what charts mark: incidents, failovers, changes and tests. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { useSite } from "@/api/scope";

const EVERY_MS = 15_000;

/** The nodes and links of a chart; neither: the whole site. */
interface Objects {
  readonly nodes?: readonly number[];
  readonly links?: readonly number[];
}

export const annotationsQuery = (
  site: string,
  { from, to }: { from: string; to: string },
  { nodes = [], links = [] }: Objects,
) =>
  queryOptions({
    queryKey: ["annotations", site, from, to, nodes, links],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/annotations", {
          params: { query: { site, start: from, end: to, node_id: [...nodes], link_id: [...links] } },
        }),
      ),
    select: ({ items }) =>
      items.map(({ at, kind, state, text, url }) => ({ at: Date.parse(at) / 1000, kind, state, text, url })),
    placeholderData: keepPreviousData,
    refetchInterval: to === "now" ? EVERY_MS : false,
  });

/** Marks of the range; undefined until they are loaded: a chart does not wait for them. */
export function useAnnotations(range: { from: string; to: string }, objects: Objects) {
  const site = useSite()?.name;
  return useQuery({ ...annotationsQuery(site ?? "", range, objects), enabled: site !== undefined }).data;
}
