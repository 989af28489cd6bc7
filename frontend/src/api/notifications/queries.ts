/** Queries of notifications: channels, routes, on-call schedules and deliveries; their types. */
import { queryOptions } from "@tanstack/react-query";
import { client, fetchAll, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Channel = Schemas["ChannelOut"];
export type ChannelIn = Schemas["ChannelIn"];
export type ChannelTest = Schemas["ChannelTestOut"];
export type NotificationRoute = Schemas["NotificationRouteOut"];
export type NotificationRouteIn = Schemas["NotificationRouteIn"];
export type Matchers = Schemas["MatchersModel"];
export type WeeklyTime = Schemas["WeeklyTimeModel"];
export type Schedule = Schemas["ScheduleOut"];
export type ScheduleIn = Schemas["ScheduleIn"];
export type Delivery = Schemas["DeliveryOut"];
export type DeliveryDetail = Schemas["DeliveryDetail"];

/** Attempts change a channel and its deliveries without a live message. */
const WORKING_MS = 2000;
const IDLE_MS = 15_000;

const isPending = ({ status }: Pick<Delivery, "status">): boolean =>
  status === "queued" || status === "sending";

export const channelsList = listQuery("channels", "/api/v1/channels", {
  every: (rows) => (rows.some(({ waiting }) => waiting > 0) ? WORKING_MS : IDLE_MS),
});

/** All channels of a site: choices of filters and routes. */
export const channelsQuery = (site: string) =>
  queryOptions({
    queryKey: ["channels", site, "choices"],
    queryFn: () =>
      fetchAll((page) => client.GET("/api/v1/channels", { params: { query: { site, ...page } } })),
  });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ["channels", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/channels/{id}", { params: { path: { id } } })),
    refetchInterval: IDLE_MS,
  });

export const notificationRoutesList = listQuery("notification-routes", "/api/v1/notification-routes");

export const notificationRouteQuery = (id: number) =>
  queryOptions({
    queryKey: ["notification-routes", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/notification-routes/{id}", { params: { path: { id } } })),
  });

/** Who is on call changes by the clock. */
export const schedulesList = listQuery("schedules", "/api/v1/schedules", { every: IDLE_MS });

/** All schedules of a site: choices of routes. */
export const schedulesQuery = (site: string) =>
  queryOptions({
    queryKey: ["schedules", site, "choices"],
    queryFn: () =>
      fetchAll((page) => client.GET("/api/v1/schedules", { params: { query: { site, ...page } } })),
  });

export const scheduleQuery = (id: number) =>
  queryOptions({
    queryKey: ["schedules", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/schedules/{id}", { params: { path: { id } } })),
    refetchInterval: IDLE_MS,
  });

export const deliveriesList = listQuery("deliveries", "/api/v1/deliveries", {
  every: (rows) => (rows.some(isPending) ? WORKING_MS : IDLE_MS),
});

export const deliveryQuery = (id: number) =>
  queryOptions({
    queryKey: ["deliveries", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/deliveries/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isPending(state.data) ? WORKING_MS : false),
  });
