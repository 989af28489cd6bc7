/** Actions of the mock API that answer as the API does and change nothing. */
import { http, HttpResponse } from "msw/http";
import type { components } from "@/api/schema";
import { change } from "@/mocks/changes";
import { agents, nodesOut } from "@/mocks/inventory";
import { recordingsOf } from "@/mocks/figures";
import { iso, SITE, type Scenario } from "@/mocks/network";
import { savedViews } from "@/mocks/saved-views";

type Schemas = components["schemas"];

const HOUR_MS = 3_600_000;

const hold = (node: Schemas["NodeOut"], more: Partial<Schemas["HoldOut"]> = {}): Schemas["HoldOut"] => ({
  id: 3,
  node: node.name,
  node_id: node.id,
  state: "held",
  text: `${node.name} stays on its gateways for another hour.`,
  origin: "backend",
  by: "demo",
  reason: "maintenance",
  seconds: 3600,
  at: iso(Date.now()),
  until: iso(Date.now() + HOUR_MS),
  ended_by: "",
  detail: "",
  can_end: true,
  ...more,
});

const move = (): Schemas["MoveOut"] => ({
  id: 4,
  gateway: "atmgw",
  state: "moved",
  seconds: 3600,
  at: iso(Date.now()),
  until: iso(Date.now() + HOUR_MS),
  returning: true,
  by: "demo",
  reason: "",
  detail: "",
  drill_id: null,
});

const feed = (): Schemas["NewCalendarFeedOut"] => ({
  id: 9,
  name: "on-call",
  site: SITE.name,
  author: "demo",
  created_at: iso(Date.now()),
  path: "/api/v1/calendars/a-secret-address.ics",
});

const NOTHING_READ: Schemas["CalendarFileOut"] = { events: [], problems: [], created: 0, changed: 0 };

const nothing = () => new HttpResponse(null, { status: 204 });

const missing = (id: unknown) =>
  HttpResponse.json(
    { code: "not_found", message: `There is no ${String(id)}.`, fields: {} },
    { status: 404 },
  );

/** What `answer` makes of the node that the path names. */
const ofNode =
  (scenario: () => Scenario, answer: (node: Schemas["NodeOut"]) => object, status = 200) =>
  ({ params: { id } }: { params: { id?: string | readonly string[] | undefined } }) => {
    const node = nodesOut(scenario()).find((item) => String(item.id) === id);
    return node === undefined
      ? missing(id)
      : HttpResponse.json(answer(node) as Record<string, unknown>, { status });
  };

export const actionHandlers = (scenario: () => Scenario) => [
  http.post(
    "*/api/v1/nodes/:id/hold",
    ofNode(scenario, (node) => hold(node), 201),
  ),
  http.delete(
    "*/api/v1/nodes/:id/hold",
    ofNode(scenario, (node) => hold(node, { state: "ended", ended_by: "demo", can_end: false })),
  ),
  http.post(
    "*/api/v1/nodes/:id/manage-again",
    ofNode(scenario, (node) => node),
  ),
  http.post("*/api/v1/nodes/:id/recordings", ({ params }) => {
    const [recording] = recordingsOf(Number(params.id));
    return recording === undefined ? missing(params.id) : HttpResponse.json(recording, { status: 201 });
  }),
  http.delete("*/api/v1/paths/:id/move", () => HttpResponse.json(move())),
  http.delete("*/api/v1/arp-policies/:id", nothing),
  http.get("*/api/v1/changes/:id/plan", ({ params }) => {
    const plan = change(Date.now(), Number(params.id))?.plan;
    return plan == null ? missing(params.id) : HttpResponse.json(plan);
  }),
  http.post("*/api/v1/maintenance-windows/import", () => HttpResponse.json(NOTHING_READ)),
  http.delete("*/api/v1/maintenance-windows/:id", nothing),
  http.post("*/api/v1/calendar-feeds", () => HttpResponse.json(feed(), { status: 201 })),
  http.delete("*/api/v1/calendar-feeds/:id", nothing),
  http.post("*/api/v1/saved-views", () => HttpResponse.json(savedViews("links")[0], { status: 201 })),
  http.put("*/api/v1/saved-views/:id", () => HttpResponse.json(savedViews("links")[0])),
  http.delete("*/api/v1/saved-views/:id", nothing),
  http.post("*/api/v1/agents/:id/revoke", ({ params: { id } }) => {
    const agent = agents(scenario()).find((item) => String(item.id) === id);
    return agent === undefined ? missing(id) : HttpResponse.json(agent);
  }),
];
