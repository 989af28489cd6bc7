/** Queries and mutations of throughput tests, and their types. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { fetchPage, listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type TestRun = Schemas["TestRunOut"];
export type TestRunDetail = Schemas["TestRunDetail"];
export type TestCell = Schemas["TestCellOut"];
export type TestCellDetail = Schemas["TestCellDetail"];
export type TestDuty = Schemas["TestAssignmentOut"];
export type TestParameters = Schemas["ParametersOut"];
export type TestVerdict = Schemas["VerdictOut"];
export type NamedVerdict = Schemas["NamedVerdict"];
export type Conclusion = Schemas["ConclusionOut"];
export type TestPlan = Schemas["TestPlanOut"];
export type TestPlanIn = Schemas["TestPlanIn"];
export type TestMatrix = Schemas["MatrixModel"];
export type Comparison = Schemas["ComparisonOut"];
export type Difference = Comparison["differences"][number];
export type TestGrid = Schemas["TestGridOut"];
export type GridCell = Schemas["GridCellOut"];

/** Matches one-second cells; the live stream reports the steps of a run sooner. */
const WHILE_OPEN_MS = 2000;
const EVERY_MS = 10_000;
const OPEN: ReadonlySet<string> = new Set(["queued", "waiting", "running"]);

/** Whether a run or plan has not ended. */
export const isOpen = ({ state }: { state: string }): boolean => OPEN.has(state);

const oftenWhileOpen = (rows: { state: string }[]): number => (rows.some(isOpen) ? WHILE_OPEN_MS : EVERY_MS);

const RUNS = "/api/v1/test-runs";
const MOST_CHOICES = 50;
const runs = listQuery("test-runs", RUNS, { every: oftenWhileOpen });
type RunsWanted = Omit<NonNullable<Parameters<typeof runs>[1]>, "source"> & {
  source?: NonNullable<TestRun["source"]> | "own";
};

/** A site's runs, followed by the papers' tables, which belong to no site and are excluded by source `own`. */
export const testRunsList = (site: string, { source, ...wanted }: RunsWanted = {}) => {
  const options = runs(site, source === undefined || source === "own" ? wanted : { ...wanted, source });
  if (source !== undefined) return options;
  return {
    ...options,
    queryKey: [...options.queryKey, "papers"] as unknown as typeof options.queryKey,
    queryFn: async ({ pageParam: cursor }: { pageParam: string }) => {
      const own = await fetchPage(RUNS, { site, ...wanted }, { cursor });
      if (own.next !== null) return own;
      const papers = await fetchPage(RUNS, { site, ...wanted, source: "paper" }, { cursor: "" });
      return { ...papers, items: [...own.items, ...papers.items] };
    },
  };
};

/** Suggestions: the newest matching runs of a site and matching tables of the papers. */
export const testRunChoicesQuery = (site: string, q: string) =>
  queryOptions({
    queryKey: ["test-runs", site, "choices", q],
    queryFn: async () => {
      const wanted = { site, limit: MOST_CHOICES, ...(q === "" ? {} : { q }) };
      const [own, papers] = await Promise.all([
        fetchPage(RUNS, wanted, { cursor: "" }),
        fetchPage(RUNS, { ...wanted, source: "paper" }, { cursor: "" }),
      ]);
      return [...own.items, ...papers.items];
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? WHILE_OPEN_MS : EVERY_MS),
  });

export const testRunQuery = (id: string) =>
  queryOptions({
    queryKey: ["test-runs", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/test-runs/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? WHILE_OPEN_MS : false),
  });

/** One cell with the reports of its nodes. */
export const testCellQuery = (id: string, index: number) =>
  queryOptions({
    queryKey: ["test-runs", "cell", id, index],
    queryFn: () =>
      unwrap(client.GET("/api/v1/test-runs/{id}/cells/{index}", { params: { path: { id, index } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? WHILE_OPEN_MS : false),
  });

export const comparisonQuery = (before: string, after: string) =>
  queryOptions({
    queryKey: ["test-runs", "compare", before, after],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/test-runs/{id}/compare", {
          params: { path: { id: after }, query: { with: before } },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const testPlansList = listQuery("test-plans", "/api/v1/test-plans", { every: oftenWhileOpen });

export const testPlanQuery = (id: number) =>
  queryOptions({
    queryKey: ["test-plans", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/test-plans/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isOpen(state.data) ? WHILE_OPEN_MS : EVERY_MS,
  });

export const testGridsList = listQuery("test-grids", "/api/v1/test-grids", { every: EVERY_MS });

export const testGridQuery = (id: number) =>
  queryOptions({
    queryKey: ["test-grids", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/test-grids/{id}", { params: { path: { id } } })),
    refetchInterval: EVERY_MS,
  });

/** Downloads a run as CSV or JSON. */
export const exportHref = (id: string, format: "csv" | "json"): string =>
  `/api/v1/test-runs/${encodeURIComponent(id)}/export?format=${format}`;

/** Every mutation may change all lists of tests. */
function useBringUpToDate(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const noun of ["test-plans", "test-runs", "test-grids"])
      void queries.invalidateQueries({ queryKey: [noun] });
  };
}

export function useRunPlan(onStarted: (run: TestRun) => void) {
  const bringUpToDate = useBringUpToDate();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.POST("/api/v1/test-plans/{id}/run", { params: { path: { id } } })),
    onSuccess: onStarted,
    onSettled: bringUpToDate,
  });
}

export function useCancelRun() {
  const bringUpToDate = useBringUpToDate();
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(client.POST("/api/v1/test-runs/{id}/cancel", { params: { path: { id } } })),
    onSettled: bringUpToDate,
  });
}

/** Creates a plan, or updates plan `id`; the form shows a refusal. */
export function useSavePlan(id: number | null, onSaved: (plan: TestPlan) => void) {
  const bringUpToDate = useBringUpToDate();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: TestPlanIn) =>
      id === null
        ? unwrap(client.POST("/api/v1/test-plans", { body }))
        : unwrap(client.PUT("/api/v1/test-plans/{id}", { params: { path: { id } }, body })),
    onSuccess: onSaved,
    onSettled: bringUpToDate,
  });
}

export function useDeletePlan(onGone: () => void) {
  const bringUpToDate = useBringUpToDate();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.DELETE("/api/v1/test-plans/{id}", { params: { path: { id } } })),
    onSuccess: onGone,
    onSettled: bringUpToDate,
  });
}
