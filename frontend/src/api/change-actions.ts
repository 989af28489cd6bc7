/** Mutations of changes, one per API verb; each updates the cached queries. */
import { useMutation, useMutationState, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { changeQuery } from "@/api/failover";
import type { ChangeDetail, ChangeIn } from "@/api/types";

/** One action on a change with its arguments. */
type Act =
  | { readonly verb: "plan" | "discard" }
  /** The wave that the user saw waiting, so that a double click confirms it only once. */
  | { readonly verb: "confirm"; readonly wave: number | null }
  | {
      readonly verb: "approve";
      readonly digest: string;
      readonly comment: string;
      readonly acceptWarnings: boolean;
    }
  | {
      readonly verb: "apply";
      readonly digest: string;
      readonly timeoutS: number;
      readonly autoConfirm: boolean;
    }
  | { readonly verb: "roll_back"; readonly reason: string };

function send(id: number, act: Act): Promise<ChangeDetail> {
  const params = { path: { id } };
  switch (act.verb) {
    case "plan":
      return unwrap(client.POST("/api/v1/changes/{id}/plan", { params }));
    case "confirm":
      return unwrap(client.POST("/api/v1/changes/{id}/confirm", { params, body: { wave: act.wave } }));
    case "discard":
      return unwrap(client.POST("/api/v1/changes/{id}/discard", { params }));
    case "approve":
      return unwrap(
        client.POST("/api/v1/changes/{id}/approve", {
          params,
          body: { digest: act.digest, comment: act.comment, accept_warnings: act.acceptWarnings },
        }),
      );
    case "apply":
      return unwrap(
        client.POST("/api/v1/changes/{id}/apply", {
          params,
          body: { digest: act.digest, timeout_s: act.timeoutS, auto_confirm: act.autoConfirm },
        }),
      );
    case "roll_back":
      return unwrap(client.POST("/api/v1/changes/{id}/roll-back", { params, body: { reason: act.reason } }));
  }
}

function remember(queries: QueryClient, change: ChangeDetail): void {
  queries.setQueryData(changeQuery(change.id).queryKey, change);
  for (const noun of ["changes", "overview", "policies", "paths", "drift"])
    void queries.invalidateQueries({ queryKey: [noun] });
}

export function useChangeAction(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: Act) => send(id, act),
    onSuccess: (change) => remember(queries, change),
    // The state changed in the meantime: show the current one.
    onError: () => void queries.invalidateQueries({ queryKey: ["changes"] }),
  });
}

export type ChangeAction = ReturnType<typeof useChangeAction>;

/** Plans the undo of a confirmed change; the caller shows a refusal. */
export function useUndo(id: number, onDone: (inverse: ChangeDetail) => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: { reason: string }) =>
      unwrap(client.POST("/api/v1/changes/{id}/undo", { params: { path: { id } }, body })),
    onSuccess: (inverse) => {
      remember(queries, inverse);
      onDone(inverse);
    },
    onError: () => void queries.invalidateQueries({ queryKey: ["changes"] }),
  });
}

const deletionOf = (policy: number) => ["policies", "delete", policy] as const;

/** Whether this browser is deleting or has deleted the policy, so that it is not requested again. */
export const useIsPolicyDeleted = (id: number): boolean =>
  useMutationState({
    filters: { mutationKey: deletionOf(id) },
    select: ({ state: { status, data } }) => status === "pending" || (status === "success" && data === null),
  }).some(Boolean);

/** Deletes a policy. Returns the change that removes its routes first, or null if no node has any. */
export function useDeletePolicy(id: number, onDone: (removal: ChangeDetail | null) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: deletionOf(id),
    mutationFn: async (): Promise<ChangeDetail | null> =>
      (await unwrap(client.DELETE("/api/v1/failover-policies/{id}", { params: { path: { id } } }))) ?? null,
    onSuccess: (removal) => {
      if (removal === null) void queries.invalidateQueries({ queryKey: ["policies"] });
      else remember(queries, removal);
      onDone(removal);
    },
    onError: () => void queries.invalidateQueries({ queryKey: ["policies"] }),
  });
}

/** Proposes a change; the server plans it immediately. `ownErrors`: the caller shows a refusal. */
export function usePropose(onDone: (change: ChangeDetail) => void, ownErrors = false) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors },
    mutationFn: (body: ChangeIn) => unwrap(client.POST("/api/v1/changes", { body })),
    onSuccess: (change) => {
      remember(queries, change);
      onDone(change);
    },
  });
}
