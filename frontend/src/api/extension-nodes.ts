/** Queries and mutations of an SP switch's extension nodes, and their types. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type ExtensionNode = Schemas["ExtensionOut"];
export type ExtensionAttribute = Schemas["ExtensionAttribute"];
export type ExtensionCheck = Schemas["ExtensionCheckOut"];
export type ExtensionIn = Schemas["ExtensionIn"];
export type ExtensionStep = Schemas["ExtensionStep"];
export type SwitchPort = Schemas["SwitchPortOut"];
export type MoveCheck = Schemas["CheckOut"];

/** Router states change with each report. */
const EVERY_MS = 5000;

export const extensionNodesList = listQuery("extension-nodes", "/api/v1/extension-nodes", {
  every: EVERY_MS,
});

export const extensionNodeQuery = (id: number) =>
  queryOptions({
    queryKey: ["extension-nodes", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/extension-nodes/{id}", { params: { path: { id } } })),
    refetchInterval: EVERY_MS,
  });

/** Validates a proposed extension node without storing it, so the form may call it on every edit. */
export const extensionCheckQuery = (body: ExtensionIn | null) =>
  queryOptions({
    queryKey: ["extension-nodes", "check", body],
    queryFn: () => unwrap(client.POST("/api/v1/extension-nodes/check", { body: body as ExtensionIn })),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
