/** Responses of the mock API, typed by the real API's schema. */
import { http, HttpResponse } from "msw/http";
import { compare, type Comparable } from "@/util/compare";
import type { CircuitPlanIn } from "@/api/circuits";
import type { ExtensionIn } from "@/api/extension-nodes";
import type { ChannelIn, NotificationRouteIn, ScheduleIn } from "@/api/notifications/queries";
import type { ExportIn } from "@/api/storage";
import type { TestPlanIn } from "@/api/throughput";
import type { GroupIn, Link, Person, PolicyIn } from "@/api/types";
import { eventGroups, events, incidentDetails, incidents } from "@/mocks/incidents";
import { agents, fabrics, nodesOut, portsOf, portTrends } from "@/mocks/inventory";
import { overview, pastOverview } from "@/mocks/overview";
import { isNode, routesBetween } from "@/mocks/models/routes";
import { pathGroups, pathHistory, paths, pathTimeline, policies, policyOutages } from "@/mocks/paths";
import { act, change, changeNode, changes, propose } from "@/mocks/changes";
import { arpFabrics, arpPolicies, arpRule, arpSettings } from "@/mocks/arp";
import { clocks } from "@/mocks/clocks";
import {
  advice,
  capacityFailures,
  capacityStatus,
  forecastChart,
  forecastStatus,
  linkForecasts,
  storedFailure,
  trackRecord,
  whatIf,
} from "@/mocks/models/capacity";
import { historyHandlers } from "@/mocks/models/histories";
import { actionHandlers } from "@/mocks/models/actions";
import { hippiModel } from "@/mocks/models/hold-time";
import { circuitPlan, circuits, circuitVersions, handOver } from "@/mocks/circuits";
import { extensionCheck, extensionNodes } from "@/mocks/extension-nodes";
import { drift, drills, groupPreview, stripePreview } from "@/mocks/failover";
import {
  collectorsOf,
  recordingsOf,
  fabricDetails,
  figuresOf,
  hippiReport,
  infinibandHealth,
  savedState,
} from "@/mocks/figures";
import { neighbourDuplicates, neighbourHistory, neighbourTables } from "@/mocks/neighbours";
import {
  channels,
  channelTest,
  deliveries,
  people,
  notificationRoutes,
  savedChannel,
  savedRoute,
  savedSchedule,
  schedules,
} from "@/mocks/notifications";
import { comparison, savedPlan, testCell, testGrids, testPlans } from "@/mocks/test-plans";
import { testRuns, testRunsListed } from "@/mocks/test-runs";
import { feeds, summary, windows } from "@/mocks/maintenance";
import type { BulkIn } from "@/api/types";
import { metricLimits, overrides, portRules, preview, rules, unmeasured } from "@/mocks/rules";
import { exports, queued, storage } from "@/mocks/storage";
import { history, linkDetails, SITE, topology, type Scenario } from "@/mocks/network";
import { pushHandlers } from "@/mocks/models/push";
import { savedViewHandlers } from "@/mocks/saved-views";
import { wallboardHandlers } from "@/mocks/wallboards";
import { moment } from "@/util/time";

type Keys<T> = Readonly<Record<string, (row: T) => Comparable>>;

const LIMIT = 100;
const NOT_FILTERS: ReadonlySet<string> = new Set(["site", "q", "sort", "limit", "cursor"]);

/**
 * A page of a list like the API's: full-text search, filters on fields of the same name, sort, cursor.
 * `keys`: sort keys that are not fields. The caller applies other filters and `current`.
 */
function listPage<T extends object>(request: Request, rows: readonly T[], keys: Keys<T> = {}) {
  const query = new URL(request.url).searchParams;
  const sort = query.get("sort") ?? "";
  const field = sort.replace(/^-/, "");
  const keyOf = (row: T): Comparable => keys[field]?.(row) ?? (row as Record<string, Comparable>)[field];
  const filters = [...query].filter(([name, value]) => !NOT_FILTERS.has(name) && value !== "current");
  const wanted = (query.get("q") ?? "").toLowerCase();
  const found = rows
    .filter((row) => JSON.stringify(row).toLowerCase().includes(wanted))
    .filter((row) =>
      filters.every(([name, value]) => !(name in row) || String(row[name as keyof T]) === value),
    )
    .toSorted((a, b) => (field === "" ? 0 : compare(keyOf(a), keyOf(b), sort.startsWith("-"))));
  const start = Number(query.get("cursor") ?? 0);
  const end = start + Number(query.get("limit") ?? LIMIT);
  return HttpResponse.json({ items: found.slice(start, end), next: end < found.length ? String(end) : null });
}

const PERSON: Person = { username: "demo", name: "Demo operator", role: "admin", csrf_token: "mock" };

/** The scenario in localStorage `backstay.mock`. */
export function scenario(): Scenario {
  const stored = globalThis.localStorage?.getItem("backstay.mock");
  return stored === "cut" || stored === "saturated" ? stored : "normal";
}

const missing = (noun: string, id: unknown) =>
  HttpResponse.json(
    {
      code: "not_found",
      message: `There is no ${noun} ${String(id)}. It may have been removed: look at the list.`,
      fields: {},
    },
    { status: 404 },
  );

function one<T extends { id: number }>(noun: string, items: T[], id: unknown) {
  const found = items.find((item) => String(item.id) === id);
  return found === undefined ? missing(noun, id) : HttpResponse.json(found);
}

const orMissing = (noun: string, found: object | null, id: unknown) =>
  found === null ? missing(noun, id) : HttpResponse.json(found as Record<string, unknown>);

const now = () => Date.now();
/** A time of the query, in ISO 8601; of a relative one the present. */
function timeOf(request: Request, name: string): string {
  const at = Date.parse(new URL(request.url).searchParams.get(name) ?? "");
  return new Date(Number.isNaN(at) ? now() : at).toISOString();
}
const utilisation = ({ forward, back }: Link) => Math.max(forward?.utilisation ?? 0, back?.utilisation ?? 0);

export const handlers = [
  http.get("*/api/v1/session", () => HttpResponse.json(PERSON)),
  http.post("*/api/v1/session", () => HttpResponse.json(PERSON)),
  http.delete("*/api/v1/session", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/v1/sites", ({ request }) =>
    listPage(request, [{ ...SITE, last_reported_at: new Date().toISOString(), confirming: 1 }]),
  ),
  http.get("*/api/v1/topology/past", ({ request }) =>
    HttpResponse.json({ ...topology(now(), scenario()), at: timeOf(request, "at") }),
  ),
  http.get("*/api/v1/topology", () => HttpResponse.json(topology(now(), scenario()))),
  http.get("*/api/v1/overview/counts", () => {
    const { at, open_incidents, root_causes, awaiting, evaluation_late_s } = overview(now(), scenario());
    return HttpResponse.json({
      at,
      open_incidents,
      root_causes,
      awaiting,
      failed_deliveries: 0,
      evaluation_late_s,
    });
  }),
  http.get("*/api/v1/overview/past", ({ request }) =>
    HttpResponse.json(pastOverview(timeOf(request, "at"), timeOf(request, "start"))),
  ),
  http.get("*/api/v1/overview", () => HttpResponse.json(overview(now(), scenario()))),
  http.get("*/api/v1/fabrics", ({ request }) => listPage(request, fabrics())),
  http.get("*/api/v1/fabrics/:id", ({ params }) => one("fabric", fabricDetails(), params.id)),
  http.get("*/api/v1/nodes/:id/metrics", ({ params, request }) =>
    listPage(request, figuresOf(Number(params.id))),
  ),
  http.get("*/api/v1/nodes/:id/collectors", ({ params, request }) =>
    listPage(request, collectorsOf(Number(params.id))),
  ),
  http.get("*/api/v1/nodes/:id/recordings", ({ params, request }) =>
    listPage(request, recordingsOf(Number(params.id))),
  ),
  http.get("*/api/v1/capacity/n-1", ({ request }) => {
    const shared = new URL(request.url).searchParams.get("shared");
    const items = capacityFailures(now()).filter(
      ({ key }) => shared === null || String(key.startsWith("group:")) === shared,
    );
    return HttpResponse.json({ status: capacityStatus(now()), items, next: null });
  }),
  http.get("*/api/v1/capacity/n-1/:id", () => HttpResponse.json(storedFailure(now()))),
  http.get("*/api/v1/capacity/forecast", () =>
    HttpResponse.json({ status: forecastStatus(now()), items: linkForecasts(now()), next: null }),
  ),
  http.get("*/api/v1/capacity/forecast/:id", ({ params }) =>
    HttpResponse.json(forecastChart(now(), Number(params["id"]))),
  ),
  http.get("*/api/v1/capacity/advice", () => HttpResponse.json(advice(now()))),
  http.get("*/api/v1/capacity/track-record", () => HttpResponse.json(trackRecord(now()))),
  http.get("*/api/v1/capacity/what-if", ({ request }) =>
    HttpResponse.json(whatIf(now(), new URL(request.url).searchParams)),
  ),
  http.get("*/api/v1/models/hippi", () => HttpResponse.json(hippiModel(now()))),
  http.get("*/api/v1/hippi/:id", () => HttpResponse.json(hippiReport())),
  http.get("*/api/v1/infiniband/:id/health", () => HttpResponse.json(infinibandHealth())),
  http.get("*/api/v1/nodes", ({ request }) => listPage(request, nodesOut(scenario()))),
  http.get("*/api/v1/nodes/:id", ({ params }) => one("node", nodesOut(scenario()), params.id)),
  http.get("*/api/v1/ports", ({ request }) =>
    listPage(request, portsOf(now(), scenario(), new URL(request.url).searchParams.get("node"))),
  ),
  http.get("*/api/v1/ports/trends", ({ request }) => {
    const query = new URL(request.url).searchParams;
    const ids = query.getAll("port_id").map(Number);
    return HttpResponse.json(portTrends(now(), scenario(), ids));
  }),
  http.get("*/api/v1/links", ({ request }) =>
    listPage(request, linkDetails(now(), scenario()), { utilisation }),
  ),
  http.get("*/api/v1/links/:id", ({ params }) => one("link", linkDetails(now(), scenario()), params.id)),
  http.get("*/api/v1/links/:id/history", ({ params, request }) => {
    const query = new URL(request.url).searchParams;
    const answer = history(
      Number(params.id),
      query.get("start") ?? "now-1h",
      query.get("end") ?? "now",
      now(),
      scenario(),
      query.get("baseline") === "true",
    );
    return answer === null ? missing("link", params.id) : HttpResponse.json(answer);
  }),
  http.get("*/api/v1/arp-policies/fabrics", ({ request }) => listPage(request, arpFabrics())),
  http.get("*/api/v1/arp-policies/rule", ({ request }) =>
    HttpResponse.json(arpRule(new URL(request.url).searchParams.get("fabric") ?? "")),
  ),
  http.get("*/api/v1/arp-policies/settings", () => HttpResponse.json(arpSettings())),
  http.post("*/api/v1/arp-policies", () => HttpResponse.json(arpPolicies()[0], { status: 201 })),
  http.put("*/api/v1/arp-policies/:id", () => HttpResponse.json(arpPolicies()[0])),
  http.get("*/api/v1/circuits", ({ request }) => listPage(request, circuits())),
  http.post("*/api/v1/circuits/plan", async ({ request }) =>
    HttpResponse.json(circuitPlan((await request.json()) as CircuitPlanIn)),
  ),
  http.post("*/api/v1/circuits/hand-over", async ({ request }) => {
    const { node, current } = (await request.json()) as { node: string; current: string };
    return HttpResponse.json(handOver(node, current));
  }),
  http.get("*/api/v1/circuits/history", ({ request }) => listPage(request, circuitVersions())),
  http.get("*/api/v1/circuits/:id", ({ params }) => one("circuit", circuits(), params.id)),
  http.get("*/api/v1/saved-state", ({ request }) =>
    listPage(request, savedState(new URL(request.url).searchParams.get("node"))),
  ),
  http.get("*/api/v1/clocks", ({ request }) =>
    listPage(request, clocks(now()), { offset: ({ offset_s }) => Math.abs(offset_s) }),
  ),
  http.get("*/api/v1/exports", ({ request }) => listPage(request, exports(now()))),
  http.post("*/api/v1/exports", async ({ request }) =>
    HttpResponse.json(queued(now(), (await request.json()) as ExportIn), { status: 201 }),
  ),
  http.delete("*/api/v1/exports/:id", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/v1/ports/:id/rules", ({ request }) => listPage(request, portRules())),
  http.get("*/api/v1/rules", ({ request }) => listPage(request, rules(now()))),
  http.get("*/api/v1/rules/:kind", ({ params }) =>
    orMissing("rule", rules(now()).find(({ kind }) => kind === params.kind) ?? null, params.kind),
  ),
  http.put("*/api/v1/rules/:kind", () => HttpResponse.json(rules(now())[0])),
  http.get("*/api/v1/rules/:kind/overrides", () =>
    HttpResponse.json({ items: overrides(now()), next: null }),
  ),
  http.post("*/api/v1/rules/:kind/overrides", () => HttpResponse.json(overrides(now())[0], { status: 201 })),
  http.delete("*/api/v1/rule-overrides/:id", () => new HttpResponse(null, { status: 204 })),
  http.post("*/api/v1/rules/:kind/preview", () => HttpResponse.json(preview(now()))),
  http.get("*/api/v1/rules/:kind/unmeasured", () => HttpResponse.json({ items: unmeasured(), next: null })),
  http.get("*/api/v1/metric-limits", ({ request }) => listPage(request, metricLimits(now()))),
  http.post("*/api/v1/metric-limits/preview", () => HttpResponse.json(preview(now()))),
  http.post("*/api/v1/metric-limits", () => HttpResponse.json(metricLimits(now())[0], { status: 201 })),
  http.put("*/api/v1/metric-limits/:id", () => HttpResponse.json(metricLimits(now())[0])),
  http.delete("*/api/v1/metric-limits/:id", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/v1/storage", () => HttpResponse.json(storage(now()))),
  http.get("*/api/v1/extension-nodes", ({ request }) => listPage(request, extensionNodes())),
  http.post("*/api/v1/extension-nodes/check", async ({ request }) =>
    HttpResponse.json(extensionCheck((await request.json()) as ExtensionIn)),
  ),
  http.get("*/api/v1/extension-nodes/:id", ({ params }) =>
    one("extension node", extensionNodes(), params.id),
  ),
  http.get("*/api/v1/paths", ({ request }) => {
    const group = new URL(request.url).searchParams.get("group");
    const known = paths(now(), scenario());
    return listPage(
      request,
      group === null ? known : known.filter(({ policy }) => group === `key of ${policy}`),
    );
  }),
  http.get("*/api/v1/routes/between", ({ request }) => {
    const { searchParams } = new URL(request.url);
    const [source, destination] = [searchParams.get("source") ?? "", searchParams.get("destination") ?? ""];
    const unknown = Object.entries({ source, destination }).find(([, name]) => !isNode(name));
    if (unknown === undefined) return HttpResponse.json(routesBetween(source, destination));
    const [parameter, name] = unknown;
    const message = `There is no node '${name}' at argonne.`;
    const fields = { [parameter]: "the name of a node" };
    return HttpResponse.json({ code: "not_found", message, fields }, { status: 404 });
  }),
  http.get("*/api/v1/paths/groups", ({ request }) => listPage(request, pathGroups(now(), scenario()))),
  http.get("*/api/v1/paths/timelines", ({ request }) => {
    const asked = new URL(request.url).searchParams;
    const since = (moment(asked.get("start") ?? "now-1h", now() / 1000) ?? 0) * 1000;
    const found = asked.getAll("path").map((id) => pathHistory(now(), scenario(), Number(id), since));
    return HttpResponse.json(found.filter((known) => known !== null));
  }),
  http.get("*/api/v1/failover-policies/:id/outages", ({ request, params }) => {
    const by = new URL(request.url).searchParams.get("by") === "month" ? "month" : "day";
    return HttpResponse.json(policyOutages(now(), Number(params.id), by));
  }),
  http.get("*/api/v1/paths/:id/timeline", ({ params }) =>
    orMissing("path", pathTimeline(now(), scenario(), Number(params.id)), params.id),
  ),
  http.post("*/api/v1/paths/:id/move", ({ params }) => one("path", paths(now(), scenario()), params.id)),
  http.get("*/api/v1/failover-policies", ({ request }) => listPage(request, policies())),
  http.get("*/api/v1/failover-policies/:id", ({ params }) => one("policy", policies(), params.id)),
  http.post("*/api/v1/failover-policies/group-preview", async ({ request }) =>
    HttpResponse.json(groupPreview((await request.json()) as GroupIn)),
  ),
  http.post("*/api/v1/failover-policies/stripe-preview", async ({ request }) =>
    HttpResponse.json(stripePreview((await request.json()) as PolicyIn)),
  ),
  http.post("*/api/v1/failover-policies", async ({ request }) =>
    HttpResponse.json({ ...policies()[0], ...((await request.json()) as PolicyIn), id: 1 }, { status: 201 }),
  ),
  http.put("*/api/v1/failover-policies/:id", ({ params }) => one("policy", policies(), params.id)),
  http.delete("*/api/v1/failover-policies/:id", ({ params }) => {
    const policy = policies().find(({ id }) => id === Number(params.id));
    return policy?.deployed === true
      ? HttpResponse.json(propose(now(), `Remove ${policy.name}`), { status: 202 })
      : new HttpResponse(null, { status: 204 });
  }),
  http.get("*/api/v1/neighbours/tables", ({ request }) =>
    listPage(request, neighbourTables(now()), { node: ({ node, port }) => `${node}:${port}` }),
  ),
  http.get("*/api/v1/search", ({ request }) => {
    const query = new URL(request.url).searchParams.get("q") ?? "";
    const found = topology(now(), scenario()).nodes.filter(({ name }) => name.includes(query));
    const items = found
      .slice(0, 5)
      .map(({ name, title, url }) => ({ kind: "node", name, detail: title, why: "name", url }));
    return HttpResponse.json({ query, items });
  }),
  http.get("*/api/v1/neighbours/duplicates", ({ request }) => listPage(request, neighbourDuplicates(now()))),
  http.get("*/api/v1/neighbours/history", ({ request }) => {
    const query = new URL(request.url).searchParams;
    return HttpResponse.json(neighbourHistory(now(), query.get("address") ?? "", query.get("at")));
  }),
  http.get("*/api/v1/test-runs", ({ request }) =>
    listPage(request, testRunsListed(now(), new URL(request.url).searchParams.get("source"))),
  ),
  http.get("*/api/v1/test-runs/:id/compare", ({ params, request }) =>
    orMissing(
      "test run",
      comparison(now(), String(params.id), new URL(request.url).searchParams.get("with") ?? ""),
      params.id,
    ),
  ),
  http.get("*/api/v1/test-runs/:id/cells/:index", ({ params }) =>
    orMissing("cell", testCell(now(), String(params.id), Number(params.index)), params.index),
  ),
  http.post("*/api/v1/test-runs/:id/cancel", ({ params }) =>
    orMissing("test run", testRuns(now()).find(({ id }) => id === params.id) ?? null, params.id),
  ),
  http.get("*/api/v1/test-runs/:id", ({ params }) =>
    orMissing("test run", testRuns(now()).find(({ id }) => id === params.id) ?? null, params.id),
  ),
  http.get("*/api/v1/test-plans", ({ request }) => listPage(request, testPlans(now()))),
  http.get("*/api/v1/test-plans/:id", ({ params }) => one("test plan", testPlans(now()), params.id)),
  http.post("*/api/v1/test-plans", async ({ request }) =>
    HttpResponse.json(savedPlan(now(), (await request.json()) as TestPlanIn), { status: 201 }),
  ),
  http.put("*/api/v1/test-plans/:id", async ({ request }) =>
    HttpResponse.json(savedPlan(now(), (await request.json()) as TestPlanIn)),
  ),
  http.delete("*/api/v1/test-plans/:id", () => new HttpResponse(null, { status: 204 })),
  http.post("*/api/v1/test-plans/:id/run", () =>
    HttpResponse.json(testRunsListed(now(), null)[1], { status: 201 }),
  ),
  http.get("*/api/v1/test-grids", ({ request }) => listPage(request, testGrids(now()))),
  http.get("*/api/v1/test-grids/:id", ({ params }) => one("test grid", testGrids(now()), params.id)),
  http.get("*/api/v1/drift", ({ request }) => {
    const only = new URL(request.url).searchParams.get("only");
    const rows = drift(now()).filter(
      (row) => only === null || (only === "reboot" ? row.reboot : row.running_differs || row.saved_differs),
    );
    return listPage(request, rows, { urgency: ({ reboot, node }) => `${reboot ? 0 : 1} ${node}` });
  }),
  http.get("*/api/v1/drills", ({ request }) => listPage(request, drills(now()))),
  http.get("*/api/v1/drills/:id", ({ params }) => one("drill", drills(now()), params.id)),
  http.post("*/api/v1/drills", () => HttpResponse.json(drills(now())[0], { status: 201 })),
  http.delete("*/api/v1/drills/:id", ({ params }) => one("drill", drills(now()), params.id)),
  http.get("*/api/v1/events/groups", ({ request }) => {
    const groups = eventGroups(now(), scenario(), new URL(request.url).searchParams);
    return HttpResponse.json({ items: groups, next: null, total: groups.length, grouped_since: null });
  }),
  http.get("*/api/v1/events", ({ request }) =>
    listPage(request, events(now(), scenario(), new URL(request.url).searchParams)),
  ),
  http.get("*/api/v1/incidents", ({ request }) =>
    listPage(request, incidents(now(), scenario(), new URL(request.url).searchParams)),
  ),
  http.get("*/api/v1/incidents/summary", ({ request }) => {
    const known = incidents(now(), scenario(), new URL(request.url).searchParams);
    return HttpResponse.json(summary(known));
  }),
  http.post("*/api/v1/incidents/bulk", async ({ request }) => {
    const { count } = (await request.json()) as BulkIn;
    return HttpResponse.json({ changed: count, unchanged: 0 });
  }),
  http.get("*/api/v1/incidents/:id", ({ params }) =>
    one("incident", incidentDetails(now(), scenario()), params.id),
  ),
  http.get("*/api/v1/maintenance-windows", ({ request }) => listPage(request, windows(now()))),
  http.post("*/api/v1/maintenance-windows", () => HttpResponse.json(windows(now())[0], { status: 201 })),
  http.get("*/api/v1/maintenance-windows/:id", ({ params }) =>
    one("maintenance window", windows(now()), params.id),
  ),
  http.put("*/api/v1/maintenance-windows/:id", ({ params }) =>
    one("maintenance window", windows(now()), params.id),
  ),
  http.post("*/api/v1/maintenance-windows/:id/end", ({ params }) =>
    one("maintenance window", windows(now()), params.id),
  ),
  http.get("*/api/v1/calendar-feeds", ({ request }) => listPage(request, feeds(now()))),
  http.post("*/api/v1/incidents/:id/:action", ({ params }) =>
    one("incident", incidentDetails(now(), scenario()), params.id),
  ),
  http.get("*/api/v1/changes", ({ request }) =>
    listPage(request, changes(now(), new URL(request.url).searchParams.get("state")), {
      name: ({ id }) => id,
    }),
  ),
  http.get("*/api/v1/changes/:id", ({ params }) =>
    orMissing("change", change(now(), Number(params.id)), params.id),
  ),
  http.get("*/api/v1/changes/:id/nodes/:node", ({ params }) =>
    orMissing("node", changeNode(now(), Number(params.id), Number(params.node)), params.node),
  ),
  http.post("*/api/v1/changes/:id/:verb", async ({ params, request }) => {
    const body = await request.text();
    const undone = params.verb === "undo" ? change(now(), Number(params.id)) : null;
    if (undone !== null)
      return HttpResponse.json(propose(now(), `Undo change ${undone.name}: ${undone.title}`), {
        status: 201,
      });
    return orMissing(
      "change",
      act(now(), Number(params.id), String(params.verb), body === "" ? {} : (JSON.parse(body) as object)),
      params.id,
    );
  }),
  http.post("*/api/v1/changes", async ({ request }) =>
    HttpResponse.json(propose(now(), ((await request.json()) as { title?: string }).title ?? ""), {
      status: 201,
    }),
  ),
  http.get("*/api/v1/channels", ({ request }) => listPage(request, channels(now()))),
  http.get("*/api/v1/channels/:id", ({ params }) => one("channel", channels(now()), params.id)),
  http.post("*/api/v1/channels", async ({ request }) =>
    HttpResponse.json(savedChannel(now(), 4, (await request.json()) as ChannelIn), { status: 201 }),
  ),
  http.put("*/api/v1/channels/:id", async ({ params, request }) =>
    HttpResponse.json(savedChannel(now(), Number(params.id), (await request.json()) as ChannelIn)),
  ),
  http.delete("*/api/v1/channels/:id", () => new HttpResponse(null, { status: 204 })),
  http.post("*/api/v1/channels/:id/test", ({ params }) => HttpResponse.json(channelTest(Number(params.id)))),
  http.get("*/api/v1/notification-routes", ({ request }) => listPage(request, notificationRoutes(now()))),
  http.get("*/api/v1/notification-routes/:id", ({ params }) =>
    one("notification route", notificationRoutes(now()), params.id),
  ),
  http.post("*/api/v1/notification-routes", async ({ request }) =>
    HttpResponse.json(savedRoute(now(), 3, (await request.json()) as NotificationRouteIn), { status: 201 }),
  ),
  http.put("*/api/v1/notification-routes/:id", async ({ params, request }) =>
    HttpResponse.json(savedRoute(now(), Number(params.id), (await request.json()) as NotificationRouteIn)),
  ),
  http.delete("*/api/v1/notification-routes/:id", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/v1/schedules", ({ request }) => listPage(request, schedules(now()))),
  http.get("*/api/v1/schedules/:id", ({ params }) => one("schedule", schedules(now()), params.id)),
  http.post("*/api/v1/schedules", async ({ request }) =>
    HttpResponse.json(savedSchedule(now(), 2, (await request.json()) as ScheduleIn), { status: 201 }),
  ),
  http.put("*/api/v1/schedules/:id", async ({ params, request }) =>
    HttpResponse.json(savedSchedule(now(), Number(params.id), (await request.json()) as ScheduleIn)),
  ),
  http.delete("*/api/v1/schedules/:id", () => new HttpResponse(null, { status: 204 })),
  http.get("*/api/v1/people", ({ request }) => listPage(request, people())),
  http.get("*/api/v1/deliveries", ({ request }) => listPage(request, deliveries(now()))),
  http.get("*/api/v1/deliveries/:id", ({ params }) => one("delivery", deliveries(now()), params.id)),
  ...actionHandlers(scenario),
  ...pushHandlers,
  ...historyHandlers(scenario),
  ...savedViewHandlers,
  ...wallboardHandlers,
  http.get("*/api/v1/agents", ({ request }) => listPage(request, agents(scenario()))),
  http.post("*/api/v1/enrolment-tokens", () =>
    HttpResponse.json(
      { token: "bke_mock0123456789", node: "sp01", expires_at: new Date(now() + 900_000).toISOString() },
      { status: 201 },
    ),
  ),
];
