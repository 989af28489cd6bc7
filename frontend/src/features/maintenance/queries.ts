/** Queries and mutations of maintenance windows and calendars. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { listQuery } from "@/api/list-query";
import type { CalendarFile, CalendarFileIn, MaintenanceWindowDetail, MaintenanceWindowIn } from "@/api/types";

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
