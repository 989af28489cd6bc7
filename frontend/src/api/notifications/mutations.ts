/** Mutations of notifications: channels, routes and on-call schedules. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type {
  Channel,
  ChannelIn,
  NotificationRoute,
  NotificationRouteIn,
  Schedule,
  ScheduleIn,
} from "@/api/notifications/queries";

/** A channel changes who can be reached by schedules, and routes show names of channels and schedules. */
function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const noun of ["channels", "notification-routes", "schedules", "deliveries"])
      void queries.invalidateQueries({ queryKey: [noun] });
  };
}

/** Creates a channel, or updates channel `id`; the form shows a refusal. */
export function useSaveChannel(id: number | null, onSaved: (channel: Channel) => void) {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: ChannelIn) =>
      id === null
        ? unwrap(client.POST("/api/v1/channels", { body }))
        : unwrap(client.PUT("/api/v1/channels/{id}", { params: { path: { id } }, body })),
    onSuccess: onSaved,
    onSettled: refresh,
  });
}

/** Enables or disables a channel; stored secrets stay. */
export function useEnableChannel() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ channel, enabled }: { channel: Channel; enabled: boolean }) => {
      const { id, site, name, kind, config, person } = channel;
      const body = { site, name, kind, config, person, enabled };
      return unwrap(client.PUT("/api/v1/channels/{id}", { params: { path: { id } }, body }));
    },
    onSettled: refresh,
  });
}

/** Sends a real message and returns its result; a failed delivery is a result, not an error. */
export function useTestChannel(id: number) {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: () => unwrap(client.POST("/api/v1/channels/{id}/test", { params: { path: { id } } })),
    onSettled: refresh,
  });
}

export function useDeleteChannel(onGone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) => unwrap(client.DELETE("/api/v1/channels/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      onGone();
      refresh();
    },
  });
}

/** Creates a route, or updates route `id`; the form shows a refusal. */
export function useSaveNotificationRoute(id: number | null, onSaved: (route: NotificationRoute) => void) {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: NotificationRouteIn) =>
      id === null
        ? unwrap(client.POST("/api/v1/notification-routes", { body }))
        : unwrap(client.PUT("/api/v1/notification-routes/{id}", { params: { path: { id } }, body })),
    onSuccess: onSaved,
    onSettled: refresh,
  });
}

export function useDeleteNotificationRoute(onGone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(client.DELETE("/api/v1/notification-routes/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      onGone();
      refresh();
    },
  });
}

/** Creates a schedule, or updates schedule `id`; the form shows a refusal. */
export function useSaveSchedule(id: number | null, onSaved: (schedule: Schedule) => void) {
  const refresh = useRefresh();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: ScheduleIn) =>
      id === null
        ? unwrap(client.POST("/api/v1/schedules", { body }))
        : unwrap(client.PUT("/api/v1/schedules/{id}", { params: { path: { id } }, body })),
    onSuccess: onSaved,
    onSettled: refresh,
  });
}

export function useDeleteSchedule(onGone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) => unwrap(client.DELETE("/api/v1/schedules/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      onGone();
      refresh();
    },
  });
}
