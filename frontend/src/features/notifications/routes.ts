/** The pages of notifications: channels, routes, schedules, push, wallboards and deliveries. */
import { redirect, type RouteObject } from "react-router";

export const NOTIFICATION_PAGES: RouteObject[] = [
  {
    path: "notifications",
    loader: ({ request }) => redirect(`/notifications/channels${new URL(request.url).search}`),
  },
  {
    path: "notifications/channels",
    lazy: async () => ({ Component: (await import("./ChannelsPage")).ChannelsPage }),
  },
  {
    path: "notifications/channels/new",
    lazy: async () => ({ Component: (await import("./ChannelForm")).NewChannelPage }),
  },
  {
    path: "notifications/channels/:id",
    lazy: async () => ({ Component: (await import("./ChannelPage")).ChannelPage }),
  },
  {
    path: "notifications/channels/:id/edit",
    lazy: async () => ({ Component: (await import("./ChannelForm")).EditChannelPage }),
  },
  {
    path: "notifications/routes",
    lazy: async () => ({ Component: (await import("./RoutesPage")).RoutesPage }),
  },
  {
    path: "notifications/routes/new",
    lazy: async () => ({ Component: (await import("./RouteForm")).NewRoutePage }),
  },
  {
    path: "notifications/routes/:id",
    lazy: async () => ({ Component: (await import("./RoutesPage")).RoutePage }),
  },
  {
    path: "notifications/routes/:id/edit",
    lazy: async () => ({ Component: (await import("./RouteForm")).EditRoutePage }),
  },
  {
    path: "notifications/schedules",
    lazy: async () => ({ Component: (await import("./SchedulesPage")).SchedulesPage }),
  },
  {
    path: "notifications/schedules/new",
    lazy: async () => ({ Component: (await import("./ScheduleForm")).NewSchedulePage }),
  },
  {
    path: "notifications/schedules/:id",
    lazy: async () => ({ Component: (await import("./SchedulesPage")).SchedulePage }),
  },
  {
    path: "notifications/schedules/:id/edit",
    lazy: async () => ({ Component: (await import("./ScheduleForm")).EditSchedulePage }),
  },
  {
    path: "notifications/push",
    lazy: async () => ({ Component: (await import("./push/PushPage")).PushPage }),
  },
  {
    path: "notifications/wallboards",
    lazy: async () => ({ Component: (await import("./WallboardsPage")).WallboardsPage }),
  },
  {
    path: "notifications/wallboards/new",
    lazy: async () => ({ Component: (await import("./WallboardForm")).NewWallboardPage }),
  },
  {
    path: "notifications/wallboards/:id/edit",
    lazy: async () => ({ Component: (await import("./WallboardForm")).EditWallboardPage }),
  },
  {
    path: "notifications/deliveries",
    lazy: async () => ({ Component: (await import("./DeliveriesPage")).DeliveriesPage }),
  },
  {
    path: "notifications/deliveries/:id",
    lazy: async () => ({ Component: (await import("./DeliveriesPage")).DeliveryPage }),
  },
];
