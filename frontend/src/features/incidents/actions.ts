/** What people do with incidents: queries and mutations. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { incidentQuery } from "@/api/queries";
import type { paths } from "@/api/schema";
import type { BulkIn } from "@/api/types";

type SummaryFilter = Omit<
  NonNullable<paths["/api/v1/incidents/summary"]["get"]["parameters"]["query"]>,
  "site" | "sort" | "limit" | "cursor"
>;

const EVERY_MS = 30_000;

/** What a list of incidents with these filters has, and what it may hide. */
export const summaryQuery = (site: string, filter: SummaryFilter) =>
  queryOptions({
    queryKey: ["incidents", "summary", site, filter],
    queryFn: () =>
      unwrap(client.GET("/api/v1/incidents/summary", { params: { query: { site, ...filter } } })),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
    enabled: site !== "",
  });

/** One change of an incident. */
export type IncidentAction =
  | { readonly action: "acknowledge"; readonly comment: string }
  | { readonly action: "snooze"; readonly for_s: number | null }
  | { readonly action: "assign"; readonly owner: string | null }
  | { readonly action: "comments"; readonly text: string };

export function useIncidentAction(id: number, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (wanted: IncidentAction) => {
      const params = { path: { id } };
      switch (wanted.action) {
        case "acknowledge":
          return unwrap(
            client.POST("/api/v1/incidents/{id}/acknowledge", { params, body: { comment: wanted.comment } }),
          );
        case "snooze":
          return unwrap(
            client.POST("/api/v1/incidents/{id}/snooze", {
              params,
              body: { for_s: wanted.for_s, comment: "" },
            }),
          );
        case "assign":
          return unwrap(
            client.POST("/api/v1/incidents/{id}/assign", {
              params,
              body: { owner: wanted.owner, comment: "" },
            }),
          );
        case "comments":
          return unwrap(
            client.POST("/api/v1/incidents/{id}/comments", { params, body: { text: wanted.text } }),
          );
      }
    },
    onSuccess: (incident) => {
      queries.setQueryData(incidentQuery(id).queryKey, incident);
      void queries.invalidateQueries({ queryKey: ["incidents"] });
      onDone();
    },
  });
}

/** Changes exactly the incidents that a summary names. */
export function useBulkAction(onDone: (changed: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkIn) => unwrap(client.POST("/api/v1/incidents/bulk", { body })),
    onSuccess: ({ changed }) => onDone(changed),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["incidents"] }),
  });
}
