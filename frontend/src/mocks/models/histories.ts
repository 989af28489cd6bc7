/** Histories of the mock API, their marks, and single ports and paths. Waves, like the rates of the links. */
import { http, HttpResponse } from "msw/http";
import type { PortHistory, NeighbourEntry } from "@/api/ports/ports";
import type { components } from "@/api/schema";
import type { SiteDifferences } from "@/api/types";
import { figuresOf } from "@/mocks/figures";
import { portsOf } from "@/mocks/inventory";
import { HOUR, iso, PLACES, SITE, type Scenario } from "@/mocks/network";
import { paths } from "@/mocks/paths";
import { moment } from "@/util/time";

type Schemas = components["schemas"];

const BINS = 120;
const MINUTE = 60_000;

/** Starts of the bins of a request's range, Unix seconds. */
function binsOf(request: Request): { at: number[]; step_s: number } {
  const query = new URL(request.url).searchParams;
  const present = Date.now() / 1000;
  const from = moment(query.get("start") ?? "now-1h", present) ?? present - 3600;
  const to = moment(query.get("end") ?? "now", present) ?? present;
  const step_s = Math.max(2, Math.ceil((to - from) / BINS));
  const at = Array.from({ length: BINS }, (_, index) => Math.floor(from) + index * step_s);
  return { at: at.filter((second) => second < to), step_s };
}

/** Around `middle`, with a gap after two thirds. */
const wave = (at: readonly number[], middle: number, phase = 0): (number | null)[] =>
  at.map((second, index) =>
    index === Math.floor(BINS / 1.5) ? null : middle * (1 + 0.3 * Math.sin(second / 240 + phase)),
  );

const times = (values: readonly (number | null)[], factor: number) =>
  values.map((value) => (value === null ? null : value * factor));

export function portHistory(request: Request, usableRate: number): PortHistory {
  const { at, step_s } = binsOf(request);
  const [into, out] = [wave(at, usableRate * 0.3), wave(at, usableRate * 0.2, 2)];
  return {
    at,
    step_s,
    level: "samples",
    coverage: 0.99,
    usable_rate: usableRate,
    capacity: [{ start: at[0] ?? 0, usable_rate: usableRate }],
    gaps: [],
    resets: [],
    in_mean: into,
    in_max: times(into, 1.2),
    in_p95: usableRate * 0.38,
    in_packets: times(into, 1 / 8000),
    in_errors: into.map((_, index) => (index % 40 === 7 ? 0.2 : 0)),
    in_discards: into.map(() => 0),
    in_shares: [0.1, 0.5, 0.4, 0, 0, 0, 0, 0, 0, 0],
    out_mean: out,
    out_max: times(out, 1.2),
    out_p95: usableRate * 0.25,
    out_packets: times(out, 1 / 8000),
    out_errors: out.map(() => 0),
    out_discards: out.map(() => 0),
    out_shares: [0.3, 0.6, 0.1, 0, 0, 0, 0, 0, 0, 0],
    p95_exact: true,
  };
}

function fabricHistory(request: Request): Schemas["FabricHistoryOut"] {
  const { at, step_s } = binsOf(request);
  return {
    at,
    step_s,
    level: "samples",
    coverage: 0.98,
    devices: at.map(() => 10),
    devices_total: 10,
    in_mean: wave(at, 120e6),
    out_mean: wave(at, 110e6, 1),
  };
}

function metricHistory(request: Request): Schemas["DeviceMetricHistory"] {
  const query = new URL(request.url).searchParams;
  const [metric, subject] = [query.get("metric") ?? "", query.get("subject") ?? ""];
  const figure = figuresOf(1).find((one) => one.metric === metric);
  const { at, step_s } = binsOf(request);
  const mean = wave(at, 2);
  return {
    at,
    step_s,
    level: "samples",
    coverage: 1,
    kind: figure?.kind ?? "growth",
    metric,
    subject,
    title: figure?.name ?? metric,
    unit: figure?.unit ?? "",
    per_second: true,
    mean,
    min: times(mean, 0.9),
    max: times(mean, 1.2),
    p95: 2.6,
    p95_exact: true,
  };
}

function annotations(now: number): Schemas["AnnotationsOut"] {
  const at = iso(now - 20 * MINUTE);
  return {
    is_whole: true,
    items: [
      { at, id: 41, kind: "change", state: "ok", text: "#41 rolled back", url: "/changes/41" },
      {
        at: iso(now - 40 * MINUTE),
        id: 9,
        kind: "incident",
        state: "warning",
        text: "#9",
        url: "/incidents/9",
      },
    ],
  };
}

function differences(now: number): SiteDifferences {
  const at = iso(now - HOUR);
  return {
    start: iso(now - 24 * HOUR),
    end: iso(now),
    known_since: SITE.imported_at ?? at,
    headline: "1 port and 8 paths are different.",
    opened: [],
    opened_total: 0,
    resolved: [],
    resolved_total: 0,
    passed: 0,
    nodes: [],
    nodes_total: 0,
    ports: [{ name: "grf1:ga030", before: "up", after: "down", at, url: "/ports/22" }],
    ports_total: 1,
    paths: [
      {
        policy: "sp-default",
        before: "grf1",
        after: "atmgw",
        paths: 8,
        nodes: ["sp01", "sp02"],
        at,
        url: "/paths?policy=sp-default",
      },
    ],
    paths_total: 8,
    returned: 2,
    actions: [],
    actions_total: 0,
  };
}

/** What each node of the SP has in its table for the gateways. */
const neighbourEntries = (now: number): NeighbourEntry[] =>
  PLACES.filter(({ role }) => role === "compute").map(({ id, name }) => ({
    address: "10.1.0.15",
    age_s: 3,
    held_since: iso(now - HOUR),
    mac: "02:00:0a:01:00:0f",
    node: name,
    node_id: id,
    owner: "grf1",
    port: "css0",
    state: "reachable",
  }));

const missing = () =>
  HttpResponse.json(
    { code: "not_found", message: "It may have been removed: look at the list.", fields: {} },
    { status: 404 },
  );

/** `scenario`: what is wrong with the network. */
export const historyHandlers = (scenario: () => Scenario) => {
  const portOf = (id: unknown) =>
    portsOf(Date.now(), scenario(), null).find((port) => port.id === Number(id));
  return [
    http.get("*/api/v1/annotations", () => HttpResponse.json(annotations(Date.now()))),
    http.get("*/api/v1/differences", () => HttpResponse.json(differences(Date.now()))),
    http.get("*/api/v1/neighbours", () =>
      HttpResponse.json({ items: neighbourEntries(Date.now()), next: null }),
    ),
    http.get("*/api/v1/fabrics/:id/history", ({ request }) => HttpResponse.json(fabricHistory(request))),
    http.get("*/api/v1/nodes/:id/metrics/history", ({ request }) =>
      HttpResponse.json(metricHistory(request)),
    ),
    http.get("*/api/v1/paths/:id", ({ params }) => {
      const found = paths(Date.now(), scenario()).find(({ id }) => id === Number(params.id));
      return found === undefined ? missing() : HttpResponse.json(found);
    }),
    http.get("*/api/v1/ports/:id", ({ params }) => {
      const port = portOf(params.id);
      return port === undefined ? missing() : HttpResponse.json(port);
    }),
    http.get("*/api/v1/ports/:id/history", ({ params, request }) => {
      const port = portOf(params.id);
      return port === undefined ? missing() : HttpResponse.json(portHistory(request, port.usable_rate));
    }),
  ];
};
