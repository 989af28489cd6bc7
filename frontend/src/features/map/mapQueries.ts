/** What the map of a large site reads instead of all paths and nodes. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, fetchAll, unwrap } from "@/api/client";
import type { Path } from "@/api/types";

/** Page size of the API: so many paths in one state are read. */
const MOST_PATHS = 500;

/** Paths in some states; not complete where a state has more than a page of them. */
export interface PathTroubles {
  readonly paths: readonly Path[];
  readonly isComplete: boolean;
}

/** The paths that are dead, on a fallback, or without a working standby: critical and warning, a page each. */
export const pathTroublesQuery = (site: string) =>
  queryOptions({
    queryKey: ["paths", site, "troubles"],
    queryFn: async (): Promise<PathTroubles> => {
      const pages = await Promise.all(
        (["critical", "warning"] as const).map((state) =>
          unwrap(client.GET("/api/v1/paths", { params: { query: { site, state, limit: MOST_PATHS } } })),
        ),
      );
      return {
        paths: pages.flatMap(({ items }) => items),
        isComplete: pages.every(({ next }) => next == null),
      };
    },
  });

/** All paths of a node or a policy; an empty name does not filter. */
export const selectedPathsQuery = (site: string, node: string, policy: string) =>
  queryOptions({
    queryKey: ["paths", site, "selected", node, policy],
    queryFn: () => {
      const wanted = { ...(node === "" ? {} : { node }), ...(policy === "" ? {} : { policy }) };
      return fetchAll((page) =>
        client.GET("/api/v1/paths", { params: { query: { site, ...wanted, ...page } } }),
      );
    },
    enabled: node !== "" || policy !== "",
    placeholderData: keepPreviousData,
  });

/** Label names of a site's first nodes; an import changes them, so they are kept per version. */
export const labelNamesQuery = (site: string, version: string) =>
  queryOptions({
    queryKey: ["node-labels", site, version],
    queryFn: async () => {
      const { items } = await unwrap(
        client.GET("/api/v1/nodes", { params: { query: { site, limit: MOST_PATHS } } }),
      );
      return [...new Set(items.flatMap(({ labels }) => Object.keys(labels)))].toSorted();
    },
    staleTime: Infinity,
  });

/** The value of a label by node id, of all nodes of a site. */
export const labelValuesQuery = (site: string, version: string, label: string) =>
  queryOptions({
    queryKey: ["node-labels", site, version, label],
    queryFn: async () => {
      const nodes = await fetchAll((page) =>
        client.GET("/api/v1/nodes", { params: { query: { site, ...page } } }),
      );
      return new Map(
        nodes.flatMap(({ id, labels }): [number, string][] => {
          const value = labels[label];
          return value === undefined ? [] : [[id, value]];
        }),
      );
    },
    enabled: label !== "",
    staleTime: Infinity,
  });
