/** Wallboards: the lists of those who manage them, and what a screen reads of its own. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Wallboard = Schemas["WallboardOut"];
export type NewWallboard = Schemas["NewWallboardOut"];
export type WallboardIn = Schemas["WallboardIn"];
export type CurrentWallboard = Schemas["CurrentWallboardOut"];
export type WallboardPage = CurrentWallboard["pages"][number];

const SETTINGS_MS = 30_000;

/** `Last used` changes without a live message. */
export const wallboardsList = listQuery("wallboards", "/api/v1/wallboards", { every: SETTINGS_MS });

/** The wallboard of the screen's token; polled, so that a screen follows its settings and an upgrade of the server. */
export const currentWallboardQuery = queryOptions({
  queryKey: ["wallboards", "current"],
  queryFn: () => unwrap(client.GET("/api/v1/wallboards/current")),
  refetchInterval: SETTINGS_MS,
});

function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ["wallboards"] });
}

/** Creates a wallboard; its link is in this response only. The form shows a refusal. */
export function useCreateWallboard(onCreated: (wallboard: NewWallboard) => void) {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: WallboardIn) => unwrap(client.POST("/api/v1/wallboards", { body })),
    onSuccess: onCreated,
    onSettled: refresh,
  });
}

/** For the form: it is read once, and does not change under the person's hands. */
export const wallboardQuery = (id: number) =>
  queryOptions({
    queryKey: ["wallboards", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/wallboards/{id}", { params: { path: { id } } })),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });

/** Replaces the settings; the link stays, and its screens follow within half a minute. */
export function useUpdateWallboard(id: number, onSaved: () => void) {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: WallboardIn) =>
      unwrap(client.PUT("/api/v1/wallboards/{id}", { params: { path: { id } }, body })),
    onSuccess: onSaved,
    onSettled: refresh,
  });
}

/** Replaces the link; the previous one stops working at once. */
export function useRenewWallboard(onRenewed: (wallboard: NewWallboard) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.POST("/api/v1/wallboards/{id}/renew", { params: { path: { id } } })),
    onSuccess: onRenewed,
    onSettled: refresh,
  });
}

export function useRevokeWallboard() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.POST("/api/v1/wallboards/{id}/revoke", { params: { path: { id } } })),
    onSettled: refresh,
  });
}
