/** A node's running settings that are not saved; null if the node has no agent. */
import { queryOptions } from "@tanstack/react-query";
import { fetchPage } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type SavedNode = Schemas["SavedNode"];
export type SavedItem = Schemas["SavedItem"];

/** Ports and boot files are reported once a minute when nothing changes. */
const EVERY_MS = 15_000;

export const savedStateQuery = (site: string, node: string) =>
  queryOptions({
    queryKey: ["nodes", "saved-state", site, node],
    queryFn: async () =>
      (await fetchPage("/api/v1/saved-state", { site, node }, { cursor: "" })).items[0] ?? null,
    refetchInterval: EVERY_MS,
  });
