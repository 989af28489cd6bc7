/** Queries of changes, drift, drills and path history; see `queries.ts` for the conventions. */
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { client, unwrap, fetchAll } from "@/api/client";
import { listQuery } from "@/api/list-query";
import { useSite } from "@/api/scope";
import type { Change, ChangeDetail, ChangeNode, GroupIn, SiteListed } from "@/api/types";
import { sitesQuery } from "@/api/queries";
import type { Range } from "@/util/time";

/** Polling interval while a change runs. */
const RUNNING_MS = 1000;
const RESTING_MS = 15_000;
/** An ongoing outage grows. */
const HISTORY_MS = 5000;

const isRunning = ({ state }: Pick<Change, "state">): boolean =>
  state === "rolling" || state === "confirming";

const changesEvery = (changes: Change[]): number => (changes.some(isRunning) ? RUNNING_MS : RESTING_MS);

export const changesList = listQuery("changes", "/api/v1/changes", { every: changesEvery });

/** Changes that have not ended. */
export const currentChangesQuery = (site: string) =>
  queryOptions({
    queryKey: ["changes", site, "current"],
    queryFn: () =>
      fetchAll((page) =>
        client.GET("/api/v1/changes", { params: { query: { site, state: "current", ...page } } }),
      ),
    refetchInterval: ({ state }) => changesEvery(state.data ?? []),
  });

/** A running change keeps its plan, so its progress is read without it. */
export const changeQuery = (id: number) =>
  queryOptions({
    queryKey: ["changes", "one", id],
    queryFn: async ({ client: queries, queryKey }): Promise<ChangeDetail> => {
      const known = queries.getQueryData<ChangeDetail>(queryKey);
      const plan = known !== undefined && isRunning(known) ? known.plan : null;
      const params = { path: { id }, query: { plan: plan === null } };
      const change = await unwrap(client.GET("/api/v1/changes/{id}", { params }));
      return plan === null ? change : { ...change, plan };
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isRunning(state.data) ? RUNNING_MS : RESTING_MS,
  });

/** The whole plan of a change, of which the change itself has the first entries. */
export const changePlanQuery = (id: number, digest: string) =>
  queryOptions({
    queryKey: ["changes", "plan", id, digest],
    queryFn: () => unwrap(client.GET("/api/v1/changes/{id}/plan", { params: { path: { id } } })),
    staleTime: Infinity,
  });

/** Nodes of a change by wave, for changes with more nodes than their own answer has. */
export const changeNodesList = (id: number) =>
  listQuery("changes", "/api/v1/changes/{id}/nodes", { id, every: RESTING_MS });

/** One node's evidence and texts; `state` and `since` change with each of its steps. */
export const changeNodeQuery = (id: number, { node_id, state, since }: ChangeNode) =>
  queryOptions({
    queryKey: ["changes", "node", id, node_id, state, since],
    queryFn: () =>
      unwrap(client.GET("/api/v1/changes/{id}/nodes/{node_id}", { params: { path: { id, node_id } } })),
    placeholderData: keepPreviousData,
  });

export const policyQuery = (id: number) =>
  queryOptions({
    queryKey: ["policies", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/failover-policies/{id}", { params: { path: { id } } })),
  });

/** Nodes that currently match a group, selected as in plans. */
export const groupPreviewQuery = (body: GroupIn) =>
  queryOptions({
    queryKey: ["policies", "group", body],
    queryFn: () => unwrap(client.POST("/api/v1/failover-policies/group-preview", { body })),
    placeholderData: keepPreviousData,
  });

/** History of one path from `since` (RFC 3339). */
export const pathTimelineQuery = (id: number, since: string) =>
  queryOptions({
    queryKey: ["paths", "timeline", id, since],
    queryFn: () =>
      unwrap(client.GET("/api/v1/paths/{id}/timeline", { params: { path: { id }, query: { since } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => isOngoing(state.data) && ONGOING_MS,
  });

/** An ongoing outage grows without an event. */
const ONGOING_MS = 5000;
const isOngoing = (history: { outages: { end: string | null }[] } | undefined): boolean =>
  history?.outages.some(({ end }) => end === null) ?? false;

/** Histories of several paths over a range; its ends are relative (`now-1h`) or RFC 3339. */
export const pathHistoriesQuery = (site: string, path: readonly number[], { from, to }: Range) =>
  queryOptions({
    queryKey: ["paths", "histories", site, path, from, to],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/paths/timelines", {
          params: { query: { site, path: [...path], start: from, end: to } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: HISTORY_MS,
  });

export type OutagePeriod = "day" | "month";

export const policyOutagesQuery = (id: number, by: OutagePeriod) =>
  queryOptions({
    queryKey: ["paths", "policy-outages", id, by],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/failover-policies/{id}/outages", { params: { path: { id }, query: { by } } }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: RESTING_MS,
  });

export const driftList = listQuery("drift", "/api/v1/drift", { every: RESTING_MS });

export const drillsList = listQuery("drills", "/api/v1/drills", {
  every: (drills) =>
    drills.some(({ state }) => state === "running" || state === "returning") ? RUNNING_MS : RESTING_MS,
});

export const drillQuery = (id: number) =>
  queryOptions({
    queryKey: ["drills", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/drills/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state }) =>
      state.data?.state === "running" || state.data?.state === "returning" ? RUNNING_MS : RESTING_MS,
  });

interface WaitingChange {
  readonly change: Change;
  /** Unix milliseconds at which the response arrived, by the local clock. */
  readonly receivedAt: number;
}

const NO_SITES: readonly SiteListed[] = [];

/**
 * Of all sites, ordered by deadline. Sites are asked only while one of their changes awaits confirmation, the displayed
 * one while one of its changes awaits anything.
 */
export function useWaitingChanges(isAwaited: boolean): WaitingChange[] {
  const shown = useSite()?.name;
  const { data: sites = NO_SITES } = useQuery({
    ...sitesQuery,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 1 ? RESTING_MS : false),
  });
  const asked = sites.filter(({ name, confirming }) => confirming > 0 || (name === shown && isAwaited));
  const answers = useQueries({ queries: asked.map(({ name }) => currentChangesQuery(name)) });
  return answers
    .flatMap(({ data = [], dataUpdatedAt }) =>
      data
        .filter(({ confirm_by }) => confirm_by !== null)
        .map((change) => ({ change, receivedAt: dataUpdatedAt })),
    )
    .toSorted((a, b) => Date.parse(a.change.confirm_by ?? "") - Date.parse(b.change.confirm_by ?? ""));
}
