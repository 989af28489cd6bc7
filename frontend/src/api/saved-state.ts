/** The question what of a node runs but is not saved, and the types of its answer. */
import { queryOptions } from "@tanstack/react-query";
import { client, fetchAll } from "@/api/client";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type SavedNode = Schemas["SavedNode"];
export type SavedItem = Schemas["SavedItem"];

/** Ports and boot files are reported once a minute when nothing changes. */
const EVERY_MS = 15_000;

export const savedStateQuery = (site: string, node: string) =>
  queryOptions({
    queryKey: ["nodes", "saved-state", site, node],
    queryFn: () =>
      fetchAll((page) => client.GET("/api/v1/saved-state", { params: { query: { site, node, ...page } } })),
    refetchInterval: EVERY_MS,
  });
