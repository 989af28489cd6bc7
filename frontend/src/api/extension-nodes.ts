/** Questions about extension nodes of an SP switch, and the types of their answers. */
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

/** What routers tell changes with each of their reports. */
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

/** Checks an extension node to be; nothing is stored, so asking again with each change of the form is safe. */
export const extensionCheckQuery = (body: ExtensionIn | null) =>
  queryOptions({
    queryKey: ["extension-nodes", "check", body],
    queryFn: () => unwrap(client.POST("/api/v1/extension-nodes/check", { body: body as ExtensionIn })),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
