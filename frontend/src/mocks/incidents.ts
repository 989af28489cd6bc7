/** Events and incidents of the mock API, by scenario. */
import type { EventGroup, Incident, IncidentDetail, NetworkEvent } from "@/api/types";
import { nodesOut } from "@/mocks/inventory";
import { HOUR, idOf, iso, SITE, type Scenario } from "@/mocks/network";
import { paths } from "@/mocks/paths";

export function events(now: number, scenario: Scenario, query: URLSearchParams): NetworkEvent[] {
  const list: NetworkEvent[] = [];
  const add = (
    kind: NetworkEvent["kind"],
    state: NetworkEvent["state"],
    name: string,
    at: number,
    message: string,
    more: Partial<NetworkEvent> = {},
  ) =>
    list.push({
      id: 1000 - list.length,
      kind,
      name,
      state,
      since: iso(at),
      age_s: (now - at) / 1000,
      message,
      node: null,
      node_id: null,
      link_id: null,
      incident_id: null,
      data: {},
      url: "/events",
      ...more,
    });
  if (scenario === "cut") {
    add("incident.opened", "warning", "grf1", now - 39_000, "grf1: 8 of 8 nodes of sp-default are on atmgw", {
      incident_id: 1,
      node: "grf1",
      node_id: 10,
    });
    for (const path of paths(now, scenario)) {
      add(
        "path.switched",
        "warning",
        path.name,
        now - 40_000,
        `${path.node}: ${path.prefix} moved from ${path.preferred} to ${path.active}, ${path.last_outage_ms} ms lost`,
        {
          node: path.node,
          node_id: path.node_id,
          incident_id: 1,
          data: {
            policy: path.policy,
            prefix: path.prefix,
            from: path.preferred,
            to: path.active,
            outage_ms: path.last_outage_ms,
            lost_probes: 2,
            probe_interval_ms: 50,
          },
        },
      );
    }
    add("port.down", "critical", "grf1:ga030", now - 40_200, "grf1:ga030 lost carrier", {
      node: "grf1",
      node_id: 10,
      link_id: 12,
      incident_id: 2,
    });
  }
  if (scenario === "saturated")
    add(
      "incident.opened",
      "warning",
      "grf1:ga030-origin1:at0",
      now - 20_000,
      "grf1:ga030 -> origin1:at0 is at 98 % of 53.8 Mb/s",
      { link_id: 12, incident_id: 3 },
    );
  for (const [index, node] of nodesOut("normal").entries()) {
    add("agent.enrolled", "ok", node.name, now - 5 * HOUR - index * 900, `${node.name}: its agent enrolled`, {
      node: node.name,
      node_id: node.id,
    });
  }
  add(
    "site.imported",
    "ok",
    SITE.name,
    now - 5.1 * HOUR,
    "argonne: 14 nodes, 15 links and 3 policies imported from argonne.yaml",
  );
  const kind = query.get("kind");
  const node = query.get("node");
  const q = query.get("q");
  return list.filter(
    (event) =>
      (kind === null || event.kind === kind) &&
      (node === null || event.node === node) &&
      (q === null || event.message.includes(q)) &&
      (["link_id", "incident_id"] as const).every(
        (name) => query.get(name) === null || String(event[name]) === query.get(name),
      ),
  );
}

/** The mock site's events grouped by cause: one failover; all others ungrouped. */
export function eventGroups(now: number, scenario: Scenario, query: URLSearchParams): EventGroup[] {
  const list = events(now, scenario, query);
  const moves = list.filter(({ kind }) => kind === "path.switched");
  const group = (of: NetworkEvent[], more: Partial<EventGroup>): EventGroup => {
    const times = of.map(({ since }) => since).toSorted();
    const first = times[0] ?? iso(now);
    const last = times.at(-1) ?? iso(now);
    return {
      key: `event:${of[0]?.id}`,
      title: of[0]?.message ?? "",
      detail: "",
      state: of[0]?.state ?? "ok",
      start: first,
      end: last,
      first_at: first,
      last_at: last,
      events: of.length,
      kinds: [...new Set(of.map(({ kind }) => kind))],
      paths: 0,
      rerouted: 0,
      dead: 0,
      affected: 0,
      outage_ms: null,
      incident_id: null,
      url: of[0]?.url ?? "/events",
      ...more,
    };
  };
  const failover = group(moves, {
    key: "incident:1",
    title: "grf1 failed over",
    detail: `${moves.length} paths rerouted to atmgw, at most 131 ms lost`,
    end: null,
    paths: moves.length,
    rerouted: moves.length,
    affected: moves.length,
    outage_ms: 131,
    incident_id: 1,
    url: "/incidents/1",
  });
  const others = list.filter((event) => !moves.includes(event)).map((event) => group([event], {}));
  return moves.length > 1 ? [failover, ...others] : list.map((event) => group([event], {}));
}

export function incidents(now: number, scenario: Scenario, query: URLSearchParams): Incident[] {
  const make = (id: number, more: Partial<Incident>): Incident => ({
    id,
    name: "",
    kind: "port_down",
    state: "critical",
    phase: "open",
    title: "",
    detail: "",
    direction: null,
    since: iso(now - 40_000),
    last_seen: iso(now - 1000),
    resolved_at: null,
    age_s: 40,
    acknowledged_by: null,
    acknowledged_at: null,
    comment: "",
    owner: null,
    snoozed_until: null,
    snoozed_by: null,
    muted: null,
    occurrences: 1,
    flapping_since: null,
    quiet_since: null,
    resolves_at: null,
    node_id: null,
    link_id: null,
    path_ids: [],
    cause_id: null,
    effects: 0,
    dead_paths: [],
    rerouted_paths: [],
    standby_paths: [],
    runbook: "docs/runbooks/link-down.md",
    value: null,
    threshold: null,
    url: `/incidents/${id}`,
    ...more,
  });
  const list: Incident[] = [];
  if (scenario === "cut") {
    list.push(
      make(1, {
        name: "grf1",
        kind: "gateway_isolated",
        title: "grf1 lost all links: 8 paths rerouted to atmgw",
        detail: "On a fallback: sp01, sp02, sp03 and 5 more (sp-default). Check its power and its cables.",
        node_id: 10,
        path_ids: [1, 2, 3, 4, 5, 6, 7, 8],
        rerouted_paths: [1, 2, 3, 4, 5, 6, 7, 8],
        effects: 1,
        runbook: "docs/runbooks/gateway-isolated.md",
      }),
      make(2, {
        name: "grf1:ga030",
        title: "grf1:ga030 has no carrier",
        detail: "The port is administratively up and sees no carrier.",
        link_id: 12,
        node_id: 10,
        cause_id: 1,
      }),
    );
  }
  if (scenario === "saturated") {
    list.push(
      make(3, {
        name: "grf1:ga030-origin1:at0",
        kind: "saturation",
        runbook: "docs/runbooks/saturation.md",
        state: "warning",
        title: "grf1:ga030 -> origin1:at0 is at 98 % of 53.8 Mb/s",
        detail: "Above 90 % of the usable rate for 3 samples; it clears below 75 %.",
        direction: "forward",
        link_id: 12,
        value: 0.98,
        threshold: 0.9,
      }),
    );
  }
  list.push(
    make(9, {
      name: "onyx1",
      kind: "node_stale",
      runbook: "docs/runbooks/node-unreachable.md",
      state: "unknown",
      phase: "resolved",
      title: "onyx1 was silent for 2 min 4 s",
      since: iso(now - 4 * HOUR),
      resolved_at: iso(now - 4 * HOUR + 124_000),
      age_s: 14_400,
      node_id: 11,
    }),
  );
  const phase = query.get("phase");
  return list.filter(
    (incident) =>
      (phase === null || (phase === "current" ? incident.phase !== "resolved" : incident.phase === phase)) &&
      (query.get("link_id") === null || String(incident.link_id) === query.get("link_id")) &&
      (query.get("root") === null || String(incident.cause_id === null) === query.get("root")) &&
      (query.get("cause_id") === null || String(incident.cause_id) === query.get("cause_id")) &&
      (query.get("node") === null || incident.node_id === idOf(query.get("node") ?? "")),
  );
}

/** Incidents with their evidence. */
export const incidentDetails = (now: number, scenario: Scenario): IncidentDetail[] =>
  incidents(now, scenario, new URLSearchParams()).map((incident) => ({
    ...incident,
    evidence: [
      {
        source: "carrier",
        label: "Carrier",
        text: "router:at0 has no carrier",
        at: incident.since,
        age_s: 40,
        by: "router",
        supports: true,
      },
    ],
    objects: [{ kind: "node", name: "grf1", url: "/devices/10" }],
    comments: [],
    charts: {
      start: iso(Date.parse(incident.since) - HOUR / 2),
      end: incident.resolved_at === null ? null : iso(Date.parse(incident.resolved_at) + HOUR / 2),
      metrics: [],
      link_ids: incident.link_id === null ? [] : [incident.link_id],
      paths: [],
      clock: null,
      direction: incident.direction,
      threshold: null,
      more: 0,
    },
  }));
