// The URL of every page, with existing objects.
import type { Page } from "@playwright/test";
import { api, type List } from "./fixtures.ts";

interface Named {
  id: number;
  name: string;
}

/** Pairs of name and URL; ids come from the API. */
export async function routes(page: Page): Promise<[name: string, path: string][]> {
  const links = await api<List<Named>>(page, "links?limit=500");
  const nodes = await api<List<Named>>(page, "nodes?limit=500");
  const incidents = await api<List<Named>>(page, "incidents?limit=1");
  const link = links.items.find(({ name }) => name.startsWith("grf1:ga030")) ?? links.items[0];
  const node = nodes.items.find(({ name }) => name === "grf1") ?? nodes.items[0];
  const ports = await api<List<Named>>(page, "ports?node=grf1&q=ga030");
  const fabrics = await api<List<Named & { kind: string }>>(page, "fabrics?limit=500");
  const pageOf = (kind: string, path: string): [string, string][] =>
    fabrics.items
      .filter((fabric) => fabric.kind === kind)
      .slice(0, 1)
      .map(({ id }) => [kind, `/${path}/${id}`]);
  const incident = incidents.items[0];
  const policies = await api<List<Named>>(page, "failover-policies?limit=1");
  const changes = await api<List<Named>>(page, "changes?limit=1");
  const drills = await api<List<Named>>(page, "drills?limit=1");
  const circuits = await api<List<Named>>(page, "circuits?limit=1");
  const extensions = await api<List<Named>>(page, "extension-nodes?limit=1");
  const plans = await api<List<Named>>(page, "test-plans?limit=1");
  const grids = await api<List<Named>>(page, "test-grids?limit=1");
  const firstOf = (name: string, path: string, { items }: List<Named>): [string, string][] =>
    items.slice(0, 1).map(({ id }) => [name, `/${path}/${id}`]);
  return [
    ["overview", "/"],
    ["map", "/map"],
    ["map-table", "/map?view=table"],
    ["fabrics", "/fabrics"],
    ["fabric", `/fabrics/${fabrics.items[0]?.id}`],
    ...pageOf("infiniband", "infiniband"),
    ...pageOf("hippi", "hippi"),
    ["capacity", "/capacity"],
    ["what-if", "/capacity/what-if?dead=node:grf1&growth=30"],
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
    ["policies", "/policies"],
    ...firstOf("policy", "policies", policies),
    ["policy-new", "/policies/new"],
    ["tests", "/tests"],
    ["tests-compare", "/tests/compare?before=cern96.fig4&after=cern96.fig5"],
    ["test-run-paper-cell", "/tests/runs/cern96.fig4?cell=13&lines=table"],
    ["test-plan-new", "/tests/plans/new"],
    ...firstOf("test-plan", "tests/plans", plans),
    ...firstOf("test-grid", "tests/grids", grids),
    ["changes", "/changes"],
    ...firstOf("change", "changes", changes),
    ["drift", "/drift"],
    ["drills", "/drills"],
    ...firstOf("drill", "drills", drills),
    ["incidents", "/incidents?phase=all"],
    ...(incident === undefined
      ? []
      : ([["incident", `/incidents/${incident.id}`]] satisfies [string, string][])),
    ["maintenance", "/maintenance"],
    ["rules", "/rules"],
    ["rule", "/rules/saturation"],
    ["help", "/help/rules"],
    ["runbooks", "/runbooks"],
    ["runbook", "/runbooks/link-down"],
    ["events", "/events?from=now-24h"],
    ["notification-channels", "/notifications/channels"],
    ["notification-channel-new", "/notifications/channels/new"],
    ["notification-routes", "/notifications/routes"],
    ["notification-route-new", "/notifications/routes/new"],
    ["notification-schedules", "/notifications/schedules"],
    ["notification-schedule-new", "/notifications/schedules/new"],
    ["notification-deliveries", "/notifications/deliveries"],
    ["wallboards", "/notifications/wallboards"],
    ["wallboard-new", "/notifications/wallboards/new"],
    ["agents", "/settings/agents"],
    ["storage", "/settings/storage"],
    ["exports", "/exports"],
    ["not-found", "/no-such-page"],
  ];
}
