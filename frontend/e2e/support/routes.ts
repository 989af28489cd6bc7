// The URL of every page, with existing objects.
import type { List } from "./fixtures.ts";

interface Named {
  id: number;
  name: string;
}

/** JSON of the API below `/api/v1/`. */
export type Read = <T>(path: string) => Promise<T>;

export type NamedPath = [name: string, path: string];

/** Pairs of name and URL; ids come from the API. */
export async function routes(read: Read): Promise<NamedPath[]> {
  const links = await read<List<Named>>("links?limit=500");
  const nodes = await read<List<Named>>("nodes?limit=500");
  const incidents = await read<List<Named>>("incidents?limit=1");
  const link = links.items.find(({ name }) => name.startsWith("grf1:ga030")) ?? links.items[0];
  const node = nodes.items.find(({ name }) => name === "grf1") ?? nodes.items[0];
  const ports = await read<List<Named>>("ports?node=grf1&q=ga030");
  const fabrics = await read<List<Named & { kind: string }>>("fabrics?limit=500");
  const pageOf = (kind: string, path: string): NamedPath[] =>
    fabrics.items
      .filter((fabric) => fabric.kind === kind)
      .slice(0, 1)
      .map(({ id }) => [kind, `/${path}/${id}`]);
  const incident = incidents.items[0];
  const policies = await read<List<Named>>("failover-policies?limit=1");
  const changes = await read<List<Named>>("changes?limit=1");
  const drills = await read<List<Named>>("drills?limit=1");
  const circuits = await read<List<Named>>("circuits?limit=1");
  const extensions = await read<List<Named>>("extension-nodes?limit=1");
  const plans = await read<List<Named>>("test-plans?limit=1");
  const grids = await read<List<Named>>("test-grids?limit=1");
  const forecasts = await read<List<Named>>("capacity/forecast?limit=1");
  const failures = await read<List<Named>>("capacity/n-1?limit=1");
  const windows = await read<List<Named>>("maintenance-windows?limit=1");
  const channels = await read<List<Named>>("channels?limit=1");
  const notified = await read<List<Named>>("notification-routes?limit=1");
  const schedules = await read<List<Named>>("schedules?limit=1");
  const deliveries = await read<List<Named>>("deliveries?limit=1");
  const wallboards = await read<List<Named>>("wallboards?limit=1");
  const firstOf = (name: string, path: string, { items }: List<Named>, form = ""): NamedPath[] =>
    items.slice(0, 1).map(({ id }) => [name, `/${path}/${id}${form}`]);
  return [
    ["overview", "/"],
    ["map", "/map"],
    ["map-table", "/map?view=table"],
    ["fabrics", "/fabrics"],
    ["fabric", `/fabrics/${fabrics.items[0]?.id}`],
    ...pageOf("infiniband", "infiniband"),
    ...pageOf("hippi", "hippi"),
    ["differences", "/differences"],
    ["capacity", "/capacity"],
    ["forecast", "/capacity/forecast"],
    ...firstOf("forecast-link", "capacity/forecast", forecasts),
    ["what-if", "/capacity/what-if?dead=node:grf1&growth=30"],
    ...firstOf("failure", "capacity", failures),
    ["hold-time", "/hold-time"],
    ["hold-time-unstable", "/hold-time?rate_pps=100"],
    ["devices", "/devices"],
    ["device", `/devices/${node?.id}`],
    ["port", `/ports/${ports.items[0]?.id}`],
    ["port-table", `/ports/${ports.items[0]?.id}?show=table`],
    ["links", "/links"],
    ["link", `/links/${link?.id}`],
    ["link-table", `/links/${link?.id}?show=table`],
    ["circuits", "/circuits"],
    ...firstOf("circuit", "circuits", circuits),
    ["circuits-plan", "/circuits/plan"],
    ["circuits-history", "/circuits/history"],
    ["neighbours", "/neighbours"],
    ["clocks", "/clocks"],
    ["arp", "/arp"],
    ["arp-fabric", `/arp/${fabrics.items.find(({ kind }) => kind === "sp_switch")?.name}`],
    ["extension-nodes", "/extension-nodes"],
    ["extension-node-attach", "/extension-nodes/attach"],
    ...firstOf("extension-node", "extension-nodes", extensions),
    ["paths", "/paths"],
    ["paths-nodes", "/paths?view=nodes"],
    ["path-between", "/paths/between?source=sp01&destination=origin1"],
    ["policies", "/policies"],
    ...firstOf("policy", "policies", policies),
    ["policy-new", "/policies/new"],
    ...firstOf("policy-edit", "policies", policies, "/edit"),
    ["tests", "/tests"],
    ["tests-compare", "/tests/compare?before=cern96.fig4&after=cern96.fig5"],
    ["test-run-paper-cell", "/tests/runs/cern96.fig4?cell=13&lines=table"],
    ["test-plan-new", "/tests/plans/new"],
    ...firstOf("test-plan", "tests/plans", plans),
    ...firstOf("test-plan-edit", "tests/plans", plans, "/edit"),
    ...firstOf("test-grid", "tests/grids", grids),
    ["changes", "/changes"],
    ...firstOf("change", "changes", changes),
    ["drift", "/drift"],
    ["drills", "/drills"],
    ...firstOf("drill", "drills", drills),
    ["incidents", "/incidents?phase=all"],
    ...(incident === undefined ? [] : ([["incident", `/incidents/${incident.id}`]] satisfies NamedPath[])),
    ["maintenance", "/maintenance"],
    ["maintenance-new", "/maintenance/new"],
    ...firstOf("maintenance-window", "maintenance", windows),
    ...firstOf("maintenance-edit", "maintenance", windows, "/edit"),
    ["rules", "/rules"],
    ["rule", "/rules/saturation"],
    ["help", "/help/rules"],
    ["runbooks", "/runbooks"],
    ["runbook", "/runbooks/link-down"],
    ["events", "/events?from=now-24h"],
    ["notification-channels", "/notifications/channels"],
    ["notification-channel-new", "/notifications/channels/new"],
    ...firstOf("notification-channel", "notifications/channels", channels),
    ...firstOf("notification-channel-edit", "notifications/channels", channels, "/edit"),
    ["notification-routes", "/notifications/routes"],
    ["notification-route-new", "/notifications/routes/new"],
    ...firstOf("notification-route", "notifications/routes", notified),
    ...firstOf("notification-route-edit", "notifications/routes", notified, "/edit"),
    ["notification-schedules", "/notifications/schedules"],
    ["notification-schedule-new", "/notifications/schedules/new"],
    ...firstOf("notification-schedule", "notifications/schedules", schedules),
    ...firstOf("notification-schedule-edit", "notifications/schedules", schedules, "/edit"),
    ["notification-deliveries", "/notifications/deliveries"],
    ["notification-push", "/notifications/push"],
    ...firstOf("notification-delivery", "notifications/deliveries", deliveries),
    ["wallboards", "/notifications/wallboards"],
    ["wallboard-new", "/notifications/wallboards/new"],
    ...firstOf("wallboard-edit", "notifications/wallboards", wallboards, "/edit"),
    ["agents", "/settings/agents"],
    ["storage", "/settings/storage"],
    ["exports", "/exports"],
    ["not-found", "/no-such-page"],
  ];
}
