/** Queries of the capacity pages, and their types. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery, type ListQuery } from "@/api/list-query";
import type { components, operations } from "@/api/schema";

type Schemas = components["schemas"];

export type CapacityStatus = Schemas["CapacityStatus"];
export type FailureListed = Schemas["FailureListed"];
export type FailureDetail = Schemas["FailureDetail"];
export type StoredFailure = Schemas["FailureOut"];
export type WhatIf = Schemas["WhatIf"];
export type GatewayPackets = Schemas["GatewayPacketsOut"];
export type LaneLoad = Schemas["LaneLoadOut"];
export type Advice = Schemas["Advice"];
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

/** Shared risks of the newest study with their members: what fails together. */
export const sharedRisksList: ListQuery<FailureListed, Parameters<typeof capacityFailuresList>[1]> = (
  site,
  search,
) => capacityFailuresList(site, { ...search, shared: true });

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

/** Improvements for failing fallbacks. */
export const adviceQuery = (site: string) =>
  queryOptions({
    queryKey: ["capacity", site, "advice"],
    queryFn: () => unwrap(client.GET("/api/v1/capacity/advice", { params: { query: { site } } })),
    refetchInterval: EVERY_MS,
  });

/** The newest failovers of gateways with their predictions, and the errors of all. */
export const trackRecordQuery = (site: string) =>
  queryOptions({
    queryKey: ["capacity", site, "track-record"],
    queryFn: () =>
      unwrap(client.GET("/api/v1/capacity/track-record", { params: { query: { site, limit: 20 } } })),
    refetchInterval: EVERY_MS,
  });

export type LinkForecast = Schemas["ForecastListed"];
export type ForecastStatus = Schemas["ForecastStatus"];
export type ForecastChart = Schemas["ForecastOut"];

/** Forecasts are computed each day. */
const FORECAST_MS = 300_000;

export const forecastsList = listQuery("forecast", "/api/v1/capacity/forecast", { every: FORECAST_MS });

/** All forecasts of a site in one sentence. */
export const forecastStatusQuery = (site: string) =>
  queryOptions({
    queryKey: ["forecast", site, "status"],
    queryFn: async () =>
      (await unwrap(client.GET("/api/v1/capacity/forecast", { params: { query: { site, limit: 1 } } })))
        .status,
    refetchInterval: FORECAST_MS,
  });

/** One forecast with its daily values. */
export const forecastQuery = (id: number) =>
  queryOptions({
    queryKey: ["forecast", "chart", id],
    queryFn: () => unwrap(client.GET("/api/v1/capacity/forecast/{id}", { params: { path: { id } } })),
    refetchInterval: FORECAST_MS,
  });
