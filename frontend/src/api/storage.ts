/** Queries of exports and of the disk use of history. */
import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Export = Schemas["ExportOut"];
export type ExportIn = Schemas["ExportIn"];
export type Storage = Schemas["StorageOut"];

const WORKING_MS = 2000;
const IDLE_MS = 30_000;

export const isWorking = ({ state }: Pick<Export, "state">): boolean =>
  state === "queued" || state === "running";

/** Polled often while an export is in progress. */
export const exportsList = listQuery("exports", "/api/v1/exports", {
  every: (rows) => (rows.some(isWorking) ? WORKING_MS : IDLE_MS),
});

export const storageQuery = (site: string) =>
  queryOptions({
    queryKey: ["storage", site],
    queryFn: () => unwrap(client.GET("/api/v1/storage", { params: { query: { site } } })),
    refetchInterval: 60_000,
  });
