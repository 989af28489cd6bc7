/** Queries and mutations of maintenance windows, and of what people do with incidents. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import { incidentQuery } from "@/api/queries";
import type { components, paths } from "@/api/schema";

type Schemas = components["schemas"];
export type MaintenanceWindow = Schemas["MaintenanceWindowOut"];
export type MaintenanceWindowDetail = Schemas["MaintenanceWindowDetail"];
export type MaintenanceWindowIn = Schemas["MaintenanceWindowIn"];
export type WindowTarget = Schemas["WindowTargetOut"];
export type CalendarFile = Schemas["CalendarFileOut"];
export type CalendarFileIn = Schemas["CalendarFileIn"];
export type CalendarFeed = Schemas["CalendarFeedOut"];
export type IncidentSummary = Schemas["IncidentSummary"];
export type BulkIn = Schemas["BulkIn"];
type SummaryFilter = Omit<
  NonNullable<paths["/api/v1/incidents/summary"]["get"]["parameters"]["query"]>,
  "site" | "sort" | "limit" | "cursor"
>;

const EVERY_MS = 30_000;

/** States change with the time, without an event. */
export const windowsList = listQuery("maintenance-windows", "/api/v1/maintenance-windows", {
  every: EVERY_MS,
});

export const windowQuery = (id: number) =>
  queryOptions({
    queryKey: ["maintenance-windows", "one", id],
    queryFn: () => unwrap(client.GET("/api/v1/maintenance-windows/{id}", { params: { path: { id } } })),
    refetchInterval: EVERY_MS,
  });

export const feedsList = listQuery("calendar-feeds", "/api/v1/calendar-feeds");

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

/** Creates (`id` null) or replaces a window. */
export function useSaveWindow(id: number | null, onSaved: (saved: MaintenanceWindowDetail) => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: MaintenanceWindowIn) =>
      unwrap(
        id === null
          ? client.POST("/api/v1/maintenance-windows", { body })
          : client.PUT("/api/v1/maintenance-windows/{id}", { params: { path: { id } }, body }),
      ),
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: ["maintenance-windows"] });
      void queries.invalidateQueries({ queryKey: ["incidents"] });
      onSaved(saved);
    },
  });
}

/** Ends the occurrence of now, or deletes the window. */
export function useWindowAction(id: number, action: "end" | "delete", onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const params = { path: { id } };
      if (action === "end") await unwrap(client.POST("/api/v1/maintenance-windows/{id}/end", { params }));
      else await unwrap(client.DELETE("/api/v1/maintenance-windows/{id}", { params }));
    },
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: ["maintenance-windows"] });
      void queries.invalidateQueries({ queryKey: ["incidents"] });
    },
  });
}

export function useImportCalendar(onDone: (done: CalendarFile) => void) {
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: CalendarFileIn) => unwrap(client.POST("/api/v1/maintenance-windows/import", { body })),
    onSuccess: (done) => {
      void queries.invalidateQueries({ queryKey: ["maintenance-windows"] });
      onDone(done);
    },
  });
}

/** Creates a feed; its address is in the answer only. */
export function useCreateFeed(site: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => unwrap(client.POST("/api/v1/calendar-feeds", { body: { site, name } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["calendar-feeds"] }),
  });
}

export function useDeleteFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => {
      await unwrap(client.DELETE("/api/v1/calendar-feeds/{id}", { params: { path: { id } } }));
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["calendar-feeds"] }),
  });
}

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
