/** Queries of one port, and their types. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type PortHistory = Schemas["PortHistoryOut"];
export type NeighbourEntry = Schemas["NeighbourOut"];

const EVERY_MS = 5000;

export const portQuery = (id: number) =>
  queryOptions({
    queryKey: ["ports", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/ports/{id}", { params: { path: { id } } })),
    refetchInterval: EVERY_MS,
  });

/** A port's load and counters over a range in at most `points` bins; refetched while the range ends now. */
export const portHistoryQuery = (id: number, range: { from: string; to: string }, points = 400) =>
  queryOptions({
    queryKey: ["port-history", id, range.from, range.to, points],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/ports/{id}/history", {
          params: { path: { id }, query: { start: range.from, end: range.to, points } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: range.to === "now" ? EVERY_MS : false,
  });

/** Entries of the neighbour tables. */
export const neighbourEntriesList = listQuery("neighbours", "/api/v1/neighbours", { every: 2 * EVERY_MS });
