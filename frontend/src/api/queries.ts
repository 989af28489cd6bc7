/** Queries of the pages: key, request and lifetime. `changed` messages of the live stream name the first part of a key. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { afterResponse, client, rememberCsrf, unwrap, fetchAll } from "@/api/client";
import { listQuery } from "@/api/list-query";
import { ApiError } from "@/api/problem";
import type { Incident } from "@/api/types";
import type { Range } from "@/util/time";

/** Who is signed in, or null. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async () => {
    try {
      const person = await unwrap(client.GET("/api/v1/session"));
      rememberCsrf(person.csrf_token);
      return person;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const sitesQuery = queryOptions({
  queryKey: ["sites"],
  queryFn: () => fetchAll(() => client.GET("/api/v1/sites")),
  staleTime: 60_000,
});

const OVERVIEW_MS = 5000;

/** Headline, tiles, policies and counts in one response; `range` selects the recent changes. */
export const overviewQuery = (site: string, range: Range) =>
  queryOptions({
    queryKey: ["overview", site, range.from, range.to],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/overview", { params: { query: { site, start: range.from, end: range.to } } }),
      ),
    placeholderData: (before) => (before?.site.name === site ? before : undefined),
    refetchInterval: afterResponse(OVERVIEW_MS),
  });

/** The overview at a moment; `start`: of the range of failovers, outages and changes before it. */
export const pastOverviewQuery = (site: string, at: string, start: string) =>
  queryOptions({
    queryKey: ["past-overview", site, at, start],
    queryFn: () => unwrap(client.GET("/api/v1/overview/past", { params: { query: { site, at, start } } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

/** The overview's counts, for other pages. */
export const countsQuery = (site: string) =>
  queryOptions({
    queryKey: ["counts", site],
    queryFn: () => unwrap(client.GET("/api/v1/overview/counts", { params: { query: { site } } })),
    refetchInterval: afterResponse(OVERVIEW_MS),
  });

export const topologyQuery = (site: string) =>
  queryOptions({
    queryKey: ["topology", site],
    queryFn: () => unwrap(client.GET("/api/v1/topology", { params: { query: { site } } })),
  });

/** The map at a moment. Its key is not that of the present map, which the live stream patches. */
export const pastTopologyQuery = (site: string, at: string) =>
  queryOptions({
    queryKey: ["past-topology", site, at],
    queryFn: () => unwrap(client.GET("/api/v1/topology/past", { params: { query: { site, at } } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    // A replay reads many, each as large as the map.
    gcTime: 30_000,
  });

export const fabricsList = listQuery("fabrics", "/api/v1/fabrics");

export const fabricsQuery = (site: string) =>
  queryOptions({
    queryKey: ["fabrics", site],
    queryFn: () =>
      fetchAll((page) => client.GET("/api/v1/fabrics", { params: { query: { site, ...page } } })),
  });

export const fabricQuery = (id: number) =>
  queryOptions({
    queryKey: ["fabrics", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/fabrics/{id}", { params: { path: { id } } })),
    refetchInterval: 15_000,
  });

/** The first ports of a fabric in the API's default order: one small page even for a thousand ports. */
export const fabricPortsQuery = (site: string, fabric: string, sort: string, limit: number) =>
  queryOptions({
    queryKey: ["ports", site, "fabric", fabric, sort, limit],
    queryFn: () => unwrap(client.GET("/api/v1/ports", { params: { query: { site, fabric, sort, limit } } })),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });

export const infinibandHealthQuery = (id: number) =>
  queryOptions({
    queryKey: ["figures", "infiniband", id],
    queryFn: () => unwrap(client.GET("/api/v1/infiniband/{id}/health", { params: { path: { id } } })),
    refetchInterval: 15_000,
  });

export const hippiQuery = (id: number) =>
  queryOptions({
    queryKey: ["figures", "hippi", id],
    queryFn: () => unwrap(client.GET("/api/v1/hippi/{id}", { params: { path: { id } } })),
    refetchInterval: 5000,
  });

/** A device's metrics. */
export const figuresList = (id: number) =>
  listQuery("figures", "/api/v1/nodes/{id}/metrics", { id, every: 10_000 });

/** The collectors of a device. */
export const collectorsList = (id: number) =>
  listQuery("collectors", "/api/v1/nodes/{id}/collectors", { id, every: 10_000 });

const RECORDING_MS = 2000;

/** The recordings of a device; polled often while one is made. */
export const recordingsList = (id: number) =>
  listQuery("recordings", "/api/v1/nodes/{id}/recordings", {
    id,
    every: (rows) => (rows.some(({ state }) => state === "asked") ? RECORDING_MS : 30_000),
  });

/** One metric over a range; its ends are relative (`now-1h`) or RFC 3339. */
export const figureHistoryQuery = (
  id: number,
  figure: { metric: string; subject: string; collector?: string },
  range: { from: string; to: string },
) =>
  queryOptions({
    queryKey: ["figures", "history", id, figure, range.from, range.to],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/nodes/{id}/metrics/history", {
          params: { path: { id }, query: { ...figure, start: range.from, end: range.to, points: 240 } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: range.to === "now" ? 10_000 : false,
  });

export const nodesList = listQuery("nodes", "/api/v1/nodes");

export const nodeQuery = (id: number) =>
  queryOptions({
    queryKey: ["nodes", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/nodes/{id}", { params: { path: { id } } })),
  });

export const portsList = listQuery("ports", "/api/v1/ports", { every: 5000 });

/** Live messages patch the loads; polled as well, because the order depends on them. */
export const linksList = listQuery("links", "/api/v1/links", { every: 10_000 });

export const linkQuery = (id: number) =>
  queryOptions({
    queryKey: ["links", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/links/{id}", { params: { path: { id } } })),
  });

/** A link's load over a range (`now-1h` or RFC 3339) in at most `points` bins; refetched while the range ends now. */
export const historyQuery = (
  id: number,
  range: { from: string; to: string },
  { points = 400, baseline = false }: { points?: number; baseline?: boolean } = {},
) =>
  queryOptions({
    queryKey: ["history", id, range.from, range.to, points, baseline],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/links/{id}/history", {
          params: { path: { id }, query: { start: range.from, end: range.to, points, baseline } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: range.to === "now" ? 5000 : false,
  });

export const fabricHistoryQuery = (id: number, range: { from: string; to: string }, points = 400) =>
  queryOptions({
    queryKey: ["fabric-history", id, range.from, range.to, points],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/fabrics/{id}/history", {
          params: { path: { id }, query: { start: range.from, end: range.to, points } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: range.to === "now" ? 30_000 : false,
  });

/** An ongoing outage grows without an event. */
const ONGOING_MS = 5000;
const QUIET_MS = 60_000;

export const pathsList = listQuery("paths", "/api/v1/paths", {
  every: (paths) =>
    paths.some(({ last_outage }) => last_outage !== null && last_outage.end === null) ? ONGOING_MS : QUIET_MS,
});

export const pathsQuery = (site: string) =>
  queryOptions({
    queryKey: ["paths", site],
    queryFn: () => fetchAll((page) => client.GET("/api/v1/paths", { params: { query: { site, ...page } } })),
  });

export const policiesList = listQuery("policies", "/api/v1/failover-policies");

export const policiesQuery = (site: string) =>
  queryOptions({
    queryKey: ["policies", site],
    queryFn: () =>
      fetchAll((page) => client.GET("/api/v1/failover-policies", { params: { query: { site, ...page } } })),
  });

/** A site at the end of a range compared with its start; a range until now is renewed. */
export const differencesQuery = (site: string, { from, to }: Range) =>
  queryOptions({
    queryKey: ["differences", site, from, to],
    queryFn: () =>
      unwrap(client.GET("/api/v1/differences", { params: { query: { site, start: from, end: to } } })),
    refetchInterval: to === "now" ? 30_000 : false,
  });

/** Events, newest first. */
export const eventsList = listQuery("events", "/api/v1/events");

/** Events grouped by root cause, newest first. */
export const eventGroupsList = listQuery("event-groups", "/api/v1/events/groups");

const RECENT_FAILOVERS = 5;

/** The newest failovers of a range, grouped by root cause. */
export const recentFailoversQuery = (site: string, range: Range) =>
  queryOptions({
    queryKey: ["event-groups", site, "paths", range.from, range.to],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/events/groups", {
          params: {
            query: { site, about: "paths", start: range.from, end: range.to, limit: RECENT_FAILOVERS },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const incidentsList = listQuery("incidents", "/api/v1/incidents");

/** Filters of a list of incidents; `current` means not resolved. */
interface IncidentFilter {
  phase?: Incident["phase"] | "current";
  node?: string;
  link_id?: number;
  cause_id?: number;
  root?: boolean;
}

export const incidentsQuery = (site: string, filter: IncidentFilter = {}) =>
  queryOptions({
    queryKey: ["incidents", site, filter],
    queryFn: () =>
      fetchAll((page) =>
        client.GET("/api/v1/incidents", { params: { query: { site, ...filter, ...page } } }),
      ),
    placeholderData: keepPreviousData,
  });

export const incidentQuery = (id: number) =>
  queryOptions({
    queryKey: ["incidents", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/incidents/{id}", { params: { path: { id } } })),
  });

export const agentsList = listQuery("agents", "/api/v1/agents", { every: 10_000 });

/** Objects of a site that match what is typed. */
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
