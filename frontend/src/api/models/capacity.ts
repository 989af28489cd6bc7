/** Queries of the capacity pages, and their types. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components, operations } from "@/api/schema";

type Schemas = components["schemas"];

export type CapacityStatus = Schemas["CapacityStatus"];
export type FailureListed = Schemas["FailureListed"];
export type FailureDetail = Schemas["FailureDetail"];
export type StoredFailure = Schemas["FailureOut"];
export type WhatIf = Schemas["WhatIf"];
export type LaneLoad = Schemas["LaneLoadOut"];
export type TrackRecord = Schemas["TrackRecord"];
export type PredictionCheck = Schemas["PredictionCheckOut"];
export type Verdict = FailureDetail["verdict"];
export type WhatIfQuery = Omit<
  NonNullable<operations["get_capacity_what_if"]["parameters"]["query"]>,
  "site"
>;

/** Studies are computed each minute. */
const EVERY_MS = 15_000;
/** What-if answers follow the live loads. */
const WHAT_IF_MS = 10_000;

export const capacityFailuresList = listQuery("capacity", "/api/v1/capacity/n-1", { every: EVERY_MS });

/** The newest study, without its failures. */
export const capacityStatusQuery = (site: string) =>
  queryOptions({
    queryKey: ["capacity", site, "status"],
    queryFn: async () =>
      (await unwrap(client.GET("/api/v1/capacity/n-1", { params: { query: { site, limit: 1 } } }))).status,
    refetchInterval: EVERY_MS,
  });

export const capacityFailureQuery = (id: number) =>
  queryOptions({
    queryKey: ["capacity", "failure", id],
    queryFn: () => unwrap(client.GET("/api/v1/capacity/n-1/{id}", { params: { path: { id } } })),
    refetchInterval: EVERY_MS,
  });

/** The site under these failures; the previous answer stays while the next one is computed. */
export const whatIfQuery = (site: string, asked: WhatIfQuery) =>
  queryOptions({
    queryKey: ["what-if", site, asked],
    queryFn: () => unwrap(client.GET("/api/v1/capacity/what-if", { params: { query: { site, ...asked } } })),
    placeholderData: keepPreviousData,
    refetchInterval: asked.at === undefined ? WHAT_IF_MS : false,
  });

/** The newest failovers of gateways with their predictions, and the errors of all. */
export const trackRecordQuery = (site: string) =>
  queryOptions({
    queryKey: ["capacity", site, "track-record"],
    queryFn: () =>
      unwrap(client.GET("/api/v1/capacity/track-record", { params: { query: { site, limit: 20 } } })),
    refetchInterval: EVERY_MS,
  });
