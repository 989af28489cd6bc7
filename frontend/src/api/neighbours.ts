/** Queries of neighbour tables, and their types. */
import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type NeighbourTable = Schemas["NeighbourTable"];
export type NeighbourHistory = Schemas["NeighbourHistory"];
export type Holding = Schemas["HoldingOut"];
export type Duplicate = Schemas["DuplicateOut"];

/** Tables change with each device report; a flood fills one within seconds. */
const EVERY_MS = 3000;

export const neighbourTablesList = listQuery("neighbours", "/api/v1/neighbours/tables", { every: EVERY_MS });

export const duplicatesList = listQuery("neighbours", "/api/v1/neighbours/duplicates", {
  every: 2 * EVERY_MS,
});

/** Holders of an address at a time (`now-1h` or RFC 3339), or ever if empty. */
export const whoHadQuery = (site: string, address: string, at: string) =>
  queryOptions({
    queryKey: ["neighbours", "history", site, address, at],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/neighbours/history", {
          params: { query: { site, address, ...(at === "" ? {} : { at }) } },
        }),
      ),
    retry: false,
  });
