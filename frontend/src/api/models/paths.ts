/** Queries of paths in groups and of the path between two nodes, and their types. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type PathGroup = Schemas["PathGroupOut"];
export type RoutesBetween = Schemas["RoutesBetween"];
export type NodeRoute = Schemas["NodeRouteOut"];
export type RouteHop = Schemas["RouteHopOut"];

/** While an outage lasts, it grows; otherwise the live stream announces changes. */
const ONGOING_MS = 5000;
const QUIET_MS = 60_000;

export const pathGroupsList = listQuery("paths", "/api/v1/paths/groups", {
  every: (groups) =>
    groups.some(({ last_outage }) => last_outage !== null && last_outage.end === null)
      ? ONGOING_MS
      : QUIET_MS,
});

/** One path, for its panel. */
export const pathQuery = (id: number) =>
  queryOptions({
    queryKey: ["paths", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/paths/{id}", { params: { path: { id } } })),
    refetchInterval: QUIET_MS,
  });

/** Two nodes by name. */
export interface RouteEnds {
  readonly source: string;
  readonly destination: string;
}

/** Paths follow the gateways that nodes report. */
const ROUTES_MS = 10_000;

/** The path between two nodes, under `without` (empty: none), and under each single failure on it. */
const routesQuery = (site: string, { source, destination }: RouteEnds, without: string) =>
  queryOptions({
    queryKey: ["routes", site, source, destination, without],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/routes/between", {
          params: {
            query: {
              site,
              source,
              destination,
              each_failure: true,
              ...(without === "" ? {} : { failed: [without] }),
            },
          },
        }),
      ),
    enabled: site !== "" && source !== "" && destination !== "",
    refetchInterval: ROUTES_MS,
  });

/** The paths of `routesQuery`; a failure on the path needs no request of its own. */
export function useRoutes(site: string, ends: RouteEnds, without: string, enabled = true) {
  const query = routesQuery(site, ends, "");
  const single = useQuery({ ...query, enabled: enabled && query.enabled !== false });
  const isListed = without === "" || single.data?.routes.some(({ failed }) => failed === without);
  const needsOther = enabled && single.data !== undefined && isListed !== true;
  const other = useQuery({ ...routesQuery(site, ends, without), enabled: needsOther });
  return needsOther ? other : single;
}
