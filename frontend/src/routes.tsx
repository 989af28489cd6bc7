/** The route tree, and the only module that combines features. */
import type { QueryClient } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";
import { redirect, type RouteObject } from "react-router";
import { prefetch } from "@/api/query-client";
import { sessionQuery } from "@/api/queries";
import type { Impact, IncidentDetail } from "@/api/types";
import type { FailureMap as DrawFailure } from "@/features/capacity/WhatIfPage";
import type { Drawings } from "@/features/incidents/IncidentCharts";
import { NOTIFICATION_PAGES } from "@/features/notifications/routes";
import { WallboardError } from "@/features/wallboard/WallboardError";
import { requireNumber } from "@/features/shell/missing";
import { NotFoundPage, RouteError } from "@/features/shell/Shell";
import { Shell } from "@/features/shell/Shell";
import type { WallboardParts } from "@/features/wallboard/WallboardView";
import { Waiting } from "@/ui/ErrorState";

const MiniMap = lazy(() => import("@/features/map/MiniMap").then((module) => ({ default: module.MiniMap })));
const PastMiniMap = lazy(() =>
  import("@/features/map/MiniMap").then((module) => ({ default: module.PastMiniMap })),
);

/** `at`: a past moment; null: live. */
function miniMap(site: string, at: string | null) {
  return (
    <Suspense fallback={<Waiting what="the map" />}>
      {at === null ? <MiniMap site={site} /> : <PastMiniMap site={site} at={at} />}
    </Suspense>
  );
}

const WhatIfMap = lazy(() =>
  import("@/features/map/WhatIfMap").then((module) => ({ default: module.WhatIfMap })),
);

function whatIfMap(site: string, impact: Impact, after: boolean) {
  return (
    <Suspense fallback={<Waiting what="the map" />}>
      <WhatIfMap site={site} impact={impact} after={after} />
    </Suspense>
  );
}

const FailureMap = lazy(() =>
  import("@/features/map/FailureMap").then((module) => ({ default: module.FailureMap })),
);

const failureMap: DrawFailure = (props) => (
  <Suspense fallback={<Waiting what="the map" />}>
    <FailureMap {...props} />
  </Suspense>
);

const LinkPeriod = lazy(() =>
  import("@/features/links/LinkPeriod").then((module) => ({ default: module.LinkPeriod })),
);

const MetricPeriod = lazy(() =>
  import("@/features/devices/MetricPeriod").then((module) => ({ default: module.MetricPeriod })),
);
const ClockOffsets = lazy(() =>
  import("@/features/clocks/ClockOffsets").then((module) => ({ default: module.ClockOffsets })),
);
const PathPeriod = lazy(() =>
  import("@/features/paths/PathPeriod").then((module) => ({ default: module.PathPeriod })),
);

function chart(drawn: ReactNode) {
  return <Suspense fallback={<Waiting what="the chart" />}>{drawn}</Suspense>;
}

const IncidentDeliveries = lazy(() =>
  import("@/features/notifications/IncidentDeliveries").then((module) => ({
    default: module.IncidentDeliveries,
  })),
);

function notified(site: string, incident: IncidentDetail) {
  return (
    <Suspense fallback={<Waiting what="the deliveries" />}>
      <IncidentDeliveries site={site} incident={incident} />
    </Suspense>
  );
}

/** Histories of the objects of an incident. */
const DRAWINGS: Drawings = {
  link: (link, range) => chart(<LinkPeriod id={link} range={range} />),
  metric: ({ node_id, ...metric }, range) => chart(<MetricPeriod node={node_id} {...metric} range={range} />),
  clock: (site, node) => chart(<ClockOffsets site={site} node={node} />),
  paths: (site, paths, range) => chart(<PathPeriod site={site} paths={paths} range={range} />),
};

const LinkPortRules = lazy(() =>
  import("@/features/rules/PortRules").then((module) => ({ default: module.LinkPortRules })),
);
const DevicePortRules = lazy(() =>
  import("@/features/rules/PortRules").then((module) => ({ default: module.DevicePortRules })),
);

function linkPortRules(ports: readonly { id: number; name: string }[]) {
  return (
    <Suspense fallback={<Waiting what="the alert settings" />}>
      <LinkPortRules ports={ports} />
    </Suspense>
  );
}

function devicePortRules(site: string, node: string) {
  return (
    <Suspense fallback={<Waiting what="the alert settings" />}>
      <DevicePortRules key={node} site={site} node={node} />
    </Suspense>
  );
}

/** Pages behind the sign-in, by path below `/`. */
const PAGES: RouteObject[] = [
  {
    index: true,
    lazy: async () => {
      const { OverviewPage } = await import("@/features/overview/OverviewPage");
      return { element: <OverviewPage miniMap={miniMap} /> };
    },
  },
  { path: "map", lazy: async () => ({ Component: (await import("@/features/map/MapPage")).MapPage }) },
  {
    path: "fabrics",
    lazy: async () => ({ Component: (await import("@/features/fabrics/FabricsPage")).FabricsPage }),
  },
  {
    path: "fabrics/:id",
    lazy: async () => ({ Component: (await import("@/features/fabrics/FabricPage")).FabricPage }),
  },
  {
    path: "infiniband/:id",
    lazy: async () => ({ Component: (await import("@/features/infiniband/HealthPage")).HealthPage }),
  },
  {
    path: "hippi/:id",
    lazy: async () => ({ Component: (await import("@/features/hippi/HippiPage")).HippiPage }),
  },
  {
    path: "capacity",
    lazy: async () => ({ Component: (await import("@/features/capacity/CapacityPage")).CapacityPage }),
  },
  {
    path: "capacity/what-if",
    lazy: async () => {
      const { WhatIfPage } = await import("@/features/capacity/WhatIfPage");
      return { element: <WhatIfPage map={failureMap} /> };
    },
  },
  {
    path: "capacity/forecast",
    lazy: async () => ({ Component: (await import("@/features/capacity/ForecastPage")).ForecastPage }),
  },
  {
    path: "capacity/forecast/:id",
    lazy: async () => ({
      Component: (await import("@/features/capacity/LinkForecastPage")).LinkForecastPage,
    }),
  },
  {
    path: "capacity/:id",
    lazy: async () => ({ Component: (await import("@/features/capacity/FailurePage")).FailurePage }),
  },
  {
    path: "hold-time",
    lazy: async () => ({ Component: (await import("@/features/hold-time/HoldTimePage")).HoldTimePage }),
  },
  {
    path: "devices",
    lazy: async () => ({ Component: (await import("@/features/devices/DevicesPage")).DevicesPage }),
  },
  {
    path: "devices/:id",
    lazy: async () => {
      const { DevicePage } = await import("@/features/devices/DevicePage");
      return { element: <DevicePage alertSettings={devicePortRules} /> };
    },
  },
  {
    path: "ports/:id",
    lazy: async () => {
      const { PortPage } = await import("@/features/ports/PortPage");
      return { element: <PortPage alertSettings={linkPortRules} /> };
    },
  },
  {
    path: "links",
    lazy: async () => ({ Component: (await import("@/features/links/LinksPage")).LinksPage }),
  },
  {
    path: "links/:id",
    lazy: async () => {
      const { LinkPage } = await import("@/features/links/LinkPage");
      return { element: <LinkPage alertSettings={linkPortRules} /> };
    },
  },
  {
    path: "exports",
    lazy: async () => ({ Component: (await import("@/features/links/ExportsPage")).ExportsPage }),
  },
  {
    path: "circuits",
    lazy: async () => ({ Component: (await import("@/features/circuits/CircuitsPage")).CircuitsPage }),
  },
  {
    path: "circuits/plan",
    lazy: async () => ({ Component: (await import("@/features/circuits/PlanPage")).PlanPage }),
  },
  {
    path: "circuits/history",
    lazy: async () => ({ Component: (await import("@/features/circuits/HistoryPage")).HistoryPage }),
  },
  {
    path: "circuits/:id",
    lazy: async () => ({ Component: (await import("@/features/circuits/CircuitPage")).CircuitPage }),
  },
  {
    path: "clocks",
    lazy: async () => ({ Component: (await import("@/features/clocks/ClocksPage")).ClocksPage }),
  },
  {
    path: "extension-nodes",
    lazy: async () => ({
      Component: (await import("@/features/extension-nodes/ExtensionNodesPage")).ExtensionNodesPage,
    }),
  },
  {
    path: "extension-nodes/attach",
    lazy: async () => ({ Component: (await import("@/features/extension-nodes/AttachPage")).AttachPage }),
  },
  {
    path: "extension-nodes/:id",
    lazy: async () => ({
      Component: (await import("@/features/extension-nodes/ExtensionNodePage")).ExtensionNodePage,
    }),
  },
  {
    path: "paths",
    lazy: async () => ({ Component: (await import("@/features/paths/PathsPage")).PathsPage }),
  },
  {
    path: "paths/between",
    lazy: async () => ({ Component: (await import("@/features/paths/RoutePage")).RoutePage }),
  },
  {
    path: "policies",
    lazy: async () => ({ Component: (await import("@/features/policies/PoliciesPage")).PoliciesPage }),
  },
  {
    path: "policies/new",
    lazy: async () => ({ Component: (await import("@/features/policies/EditPolicyPage")).NewPolicyPage }),
  },
  {
    path: "policies/:id",
    lazy: async () => ({ Component: (await import("@/features/policies/PolicyPage")).PolicyPage }),
  },
  {
    path: "policies/:id/edit",
    lazy: async () => ({ Component: (await import("@/features/policies/EditPolicyPage")).EditPolicyPage }),
  },
  {
    path: "neighbours",
    lazy: async () => ({ Component: (await import("@/features/neighbours/NeighboursPage")).NeighboursPage }),
  },
  { path: "arp", lazy: async () => ({ Component: (await import("@/features/arp/ArpPage")).ArpPage }) },
  {
    path: "arp/:fabric",
    lazy: async () => ({ Component: (await import("@/features/arp/FabricArpPage")).FabricArpPage }),
  },
  {
    path: "tests",
    lazy: async () => ({ Component: (await import("@/features/throughput/TestsPage")).TestsPage }),
  },
  {
    path: "tests/compare",
    lazy: async () => ({ Component: (await import("@/features/throughput/ComparePage")).ComparePage }),
  },
  {
    path: "tests/plans/new",
    lazy: async () => ({ Component: (await import("@/features/throughput/PlanForm")).NewPlanPage }),
  },
  {
    path: "tests/plans/:id",
    lazy: async () => ({ Component: (await import("@/features/throughput/PlanPage")).PlanPage }),
  },
  {
    path: "tests/plans/:id/edit",
    lazy: async () => ({ Component: (await import("@/features/throughput/PlanForm")).EditPlanPage }),
  },
  {
    path: "tests/runs/:id",
    lazy: async () => ({ Component: (await import("@/features/throughput/RunPage")).RunPage }),
  },
  {
    path: "tests/grids/:id",
    lazy: async () => ({ Component: (await import("@/features/throughput/GridPage")).GridPage }),
  },
  {
    path: "drift",
    lazy: async () => ({ Component: (await import("@/features/drift/DriftPage")).DriftPage }),
  },
  {
    path: "drills",
    lazy: async () => ({ Component: (await import("@/features/drills/DrillsPage")).DrillsPage }),
  },
  {
    path: "drills/:id",
    lazy: async () => ({ Component: (await import("@/features/drills/DrillPage")).DrillPage }),
  },
  {
    path: "changes",
    lazy: async () => ({ Component: (await import("@/features/changes/ChangesPage")).ChangesPage }),
  },
  {
    path: "changes/:id",
    lazy: async () => {
      const { ChangePage } = await import("@/features/changes/ChangePage");
      return { element: <ChangePage whatIf={whatIfMap} /> };
    },
  },
  {
    path: "incidents",
    lazy: async () => ({ Component: (await import("@/features/incidents/IncidentsPage")).IncidentsPage }),
  },
  {
    path: "incidents/:id",
    lazy: async () => {
      const { IncidentPage } = await import("@/features/incidents/IncidentPage");
      return { element: <IncidentPage drawings={DRAWINGS} notified={notified} /> };
    },
  },
  {
    path: "maintenance",
    lazy: async () => ({
      Component: (await import("@/features/maintenance/MaintenancePage")).MaintenancePage,
    }),
  },
  {
    path: "maintenance/new",
    lazy: async () => ({ Component: (await import("@/features/maintenance/WindowForm")).NewWindowPage }),
  },
  {
    path: "maintenance/:id",
    lazy: async () => ({ Component: (await import("@/features/maintenance/WindowPage")).WindowPage }),
  },
  {
    path: "maintenance/:id/edit",
    lazy: async () => ({ Component: (await import("@/features/maintenance/WindowForm")).EditWindowPage }),
  },
  {
    path: "rules",
    lazy: async () => ({ Component: (await import("@/features/rules/RulesPage")).RulesPage }),
  },
  {
    path: "rules/:kind",
    lazy: async () => ({ Component: (await import("@/features/rules/RulePage")).RulePage }),
  },
  {
    path: "runbooks",
    lazy: async () => ({ Component: (await import("@/features/runbooks/RunbooksPage")).RunbooksPage }),
  },
  {
    path: "runbooks/:name",
    lazy: async () => ({ Component: (await import("@/features/runbooks/RunbookPage")).RunbookPage }),
  },
  {
    path: "help/:name",
    lazy: async () => ({ Component: (await import("@/features/runbooks/HelpPage")).HelpPage }),
  },
  {
    path: "differences",
    lazy: async () => ({ Component: (await import("@/features/events/DifferencesPage")).DifferencesPage }),
  },
  {
    path: "events",
    lazy: async () => ({ Component: (await import("@/features/events/EventsPage")).EventsPage }),
  },
  ...NOTIFICATION_PAGES,
  { path: "settings", loader: ({ request }) => redirect(`/settings/agents${new URL(request.url).search}`) },
  {
    path: "settings/agents",
    lazy: async () => ({ Component: (await import("@/features/agents/AgentsPage")).AgentsPage }),
  },
  {
    path: "settings/storage",
    lazy: async () => ({ Component: (await import("@/features/storage/StoragePage")).StoragePage }),
  },
  { path: "*", Component: NotFoundPage },
];

/** Runs of the papers have names. */
const NAMED: ReadonlySet<string> = new Set(["tests/runs/:id"]);

/** A name where the number of an object belongs is an address without an object, which is said by name. */
function numbered(route: RouteObject): RouteObject {
  const { path = "" } = route;
  if (!path.includes(":id") || NAMED.has(path) || route.index === true) return route;
  return {
    ...route,
    loader: ({ params }) => {
      requireNumber(path, params.id);
      return null;
    },
  };
}

/** Loads all parts of a wallboard at once: a screen must not need files of an older build later. */
async function wallboard() {
  const [{ WallboardView }, { MiniMap: Map }, { Tiles }, { FallbackSummary }, { TopLinks }] =
    await Promise.all([
      import("@/features/wallboard/WallboardView"),
      import("@/features/map/MiniMap"),
      import("@/features/overview/Tiles"),
      import("@/features/overview/FallbackSummary"),
      import("@/features/overview/TopLinks"),
    ]);
  const parts: WallboardParts = {
    tiles: (overview) => <Tiles tiles={overview.tiles} />,
    fallbacks: (overview) => <FallbackSummary overview={overview} />,
    map: (site) => <Map site={site} />,
    links: (site, links) => <TopLinks site={site} links={links} />,
  };
  return { element: <WallboardView parts={parts} /> };
}

/** Requires a session; others are sent to the sign-in and back. */
function guard(queries: QueryClient): NonNullable<RouteObject["loader"]> {
  return async ({ request }) => {
    // First, because the page waits for it: the others are slower, and a server answers some of them at a time.
    const session = queries.ensureQueryData(sessionQuery);
    prefetch(queries, new URL(request.url));
    const person = await session;
    if (person !== null) return null;
    const { pathname, search } = new URL(request.url);
    const back = pathname === "/" && search === "" ? "" : `?next=${encodeURIComponent(pathname + search)}`;
    return redirect(`/sign-in${back}`);
  };
}

export function makeRoutes(queries: QueryClient): RouteObject[] {
  return [
    {
      ErrorBoundary: RouteError,
      HydrateFallback: () => <Waiting what="Backstay" />,
      children: [
        {
          path: "/sign-in",
          lazy: async () => ({ Component: (await import("@/features/sign-in/SignInPage")).SignInPage }),
        },
        { path: "/wall", lazy: wallboard, ErrorBoundary: WallboardError },
        {
          path: "/",
          Component: Shell,
          loader: guard(queries),
          // Navigation does not change the session; a 401 of the API ends it.
          shouldRevalidate: () => false,
          children: [{ ErrorBoundary: RouteError, children: PAGES.map(numbered) }],
        },
      ],
    },
  ];
}
