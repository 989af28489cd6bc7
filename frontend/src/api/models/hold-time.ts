/** Query of the hold-time planner, and its types. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type { components, operations } from "@/api/schema";

type Schemas = components["schemas"];

export type HippiModel = Schemas["HippiModel"];
export type BlockingResult = Schemas["BlockingResult"];
export type HoldRecommendation = Schemas["HoldRecommendation"];
export type MeasuredGateway = Schemas["MeasuredGateway"];
export type MeasuredPort = Schemas["MeasuredPort"];
export type InfinibandPort = Schemas["InfinibandPort"];
export type HeadOfQueueLifetime = Schemas["HeadOfQueueLifetime"];
export type TcpResult = Schemas["TcpResult"];
export type HippiModelQuery = Omit<NonNullable<operations["get_hippi_model"]["parameters"]["query"]>, "site">;

/** Measured rates are those of the last minute. */
const EVERY_MS = 15_000;

/** The model at these parameters; the previous result stays while another is calculated. */
export const hippiModelQuery = (site: string, parameters: HippiModelQuery) =>
  queryOptions({
    queryKey: ["figures", "hold-time", site, parameters],
    queryFn: () => unwrap(client.GET("/api/v1/models/hippi", { params: { query: { site, ...parameters } } })),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
