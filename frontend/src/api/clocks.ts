/** Questions about clocks, and the types of their answers. */
import { queryOptions } from "@tanstack/react-query";
import { client, fetchAll } from "@/api/client";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type Clock = Schemas["ClockOut"];
export type ClockPoint = Schemas["ClockPoint"];

/** A clock step is reported within an interval. */
const EVERY_MS = 3000;

export const clocksQuery = (site: string) =>
  queryOptions({
    queryKey: ["clocks", site],
    queryFn: () => fetchAll((page) => client.GET("/api/v1/clocks", { params: { query: { site, ...page } } })),
    refetchInterval: EVERY_MS,
  });
