/** Lists of the mock API that are not the topology itself: made from it, so that they agree. */
import type {
  Agent,
  Fabric,
  Incident,
  LinkHistory,
  NetworkEvent,
  Node,
  Overview,
  Path,
  Policy,
  Port,
} from "@/api/types";
import { changes } from "@/mocks/changes";
import { linkDetails, links, nodes, PLACES, SITE, type Scenario } from "@/mocks/network";
import { moment } from "@/util/time";
import { thresholds } from "@/util/spec.json";

const HOUR = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

export function fabrics(): Fabric[] {
  const make = (
    id: number,
    name: string,
    title: string,
    kind: string,
    media: number,
    usable: number,
    mtu: number,
    attached: number,
  ): Fabric => ({
    id,
    name,
    title,
    kind,
    media_rate: media,
    usable_rate: usable * SITE.rate_scale,
    mtu,
    arp: "on",
    ports: attached,
    url: `/fabrics/${id}`,
  });
  return [
    make(1, "sp-switch", "SP Switch", "sp_switch", 960e6, 960e6, 65520, 10),
    make(2, "hippi", "HIPPI-800", "hippi", 800e6, 800e6, 65280, 2),
    make(3, "atm-oc12", "ATM OC-12", "atm", 622.08e6, 538e6, 9180, 6),
    make(4, "atm-oc3", "ATM OC-3", "atm", 155.52e6, 134.5e6, 9180, 2),
    make(5, "management", "Management Ethernet", "ethernet", 100e6, 100e6, 1500, 14),
  ];
}

export function nodesOut(scenario: Scenario): Node[] {
  return nodes(scenario)
    .filter(({ kind }) => kind !== "fabric")
    .map((node) => {
      const isCompute = node.role === "compute";
      const snmp = node.name === "grf1";
      return {
        id: node.id,
        name: node.name,
        title: node.title,
        kind: node.kind,
        role: node.role,
        state: node.state,
        state_text: node.state_text,
        since: node.since,
        age_s: node.age_s,
        node_number: isCompute ? node.id : null,
        switch_node_number: isCompute ? node.id - 1 : null,
        management_address: `10.255.0.${10 + node.id}`,
        agent: snmp ? "mgmt1" : node.name,
        sys_name: node.name,
        sys_descr: snmp ? "Ascend GigaRouter GRF-400" : "Linux 6.1",
        uptime_s: 431_000,
        clock_offset_s: snmp ? -31 * 86_400 : 0.0004 * (node.id % 5) - 0.0006,
        clock_text: snmp ? "clock 31 d behind" : "",
        labels: {},
        engine: isCompute ? (node.id < 5 ? "bird" : "frr") : null,
        management: null,
        hold: null,
        url: node.url,
      };
    });
}

export function portsOf(now: number, scenario: Scenario, node: string | null): Port[] {
  return linkDetails(now, scenario).flatMap((link, index) =>
    (
      [
        ["source", link.back, link.forward],
        ["target", link.forward, link.back],
      ] as const
    )
      .filter(([side]) => link[side].port !== null && (node === null || link[side].node === node))
      .map(([side, into, out]): Port => ({
        id: index * 2 + (side === "source" ? 0 : 1),
        name: link[side].port ?? "",
        kind: link.fabric,
        node: link[side].node,
        node_id: link[side].node_id ?? 0,
        fabric: link.fabric,
        link_id: link.id,
        state: link.state,
        state_text: link.state_text,
        since: link.since,
        age_s: 1.1,
        if_type: 37,
        speed: link.media_rate * SITE.rate_scale,
        usable_rate: link.usable_rate,
        mtu: link.mtu,
        mac: "02:00:0a:01:00:01",
        addresses: [`10.1.0.${index + 1}/24`],
        measured_at: (into ?? out)?.at ?? null,
        measured_s: 2,
        in_pps: (into?.bps ?? 0) / 8000,
        out_pps: (out?.bps ?? 0) / 8000,
        in_bps: into?.bps ?? null,
        out_bps: out?.bps ?? null,
        in_utilisation: into?.utilisation ?? null,
        out_utilisation: out?.utilisation ?? null,
        utilisation: Math.max(into?.utilisation ?? 0, out?.utilisation ?? 0),
        in_errors_ps: 0,
        out_errors_ps: 0,
        url: link.url,
      })),
  );
}

/** What a policy of the mock site wishes besides its gateways; two of the nodes are not managed. */
function spec(of: string[], id: number) {
  return {
    origin: "operator",
    group: { names: of, role: "", number_from: null, number_to: null, labels: {} },
    timers: {
      interval_ms: 50,
      fail_after: 3,
      recover_after: 20,
      hold_down_s: 2,
      revert: "now",
      revert_after_s: 60,
    },
    stripe: null,
    return_path: null,
    kind: "failover_policy",
    site: SITE.name,
    url: `/policies/${id}`,
    deployed: id === 1,
    removal: null,
    deletion_refusal: "",
    progress: {
      managed: of.filter((name) => name.startsWith("sp")).length,
      not_managed: of.filter((name) => !name.startsWith("sp")),
      confirmed: id === 1 ? 4 : 0,
      outdated: 0,
      text: id === 1 ? "confirmed on 4 of 8 nodes" : "not deployed: its node is not managed",
    },
  } as const satisfies Partial<Policy>;
}

export function policies(): Policy[] {
  const make = (
    id: number,
    name: string,
    prefix: string,
    gateways: string[],
    of: string[],
    note: string,
  ): Policy => ({
    id,
    name,
    prefix,
    gateways,
    detection: "bfd",
    target: "10.9.0.1",
    probe_interval_ms: 50,
    nodes: of,
    note,
    ...spec(of, id),
  });
  return [
    make(
      1,
      "sp-default",
      "0.0.0.0/0",
      ["grf1", "atmgw"],
      compute(),
      "Nodes leave through the GigaRouter and fall back to the ATM OC-3 gateway node.",
    ),
    make(
      2,
      "router-to-sp",
      "10.1.0.0/24",
      ["grf1", "atmgw"],
      ["router"],
      "Inbound traffic uses the GigaRouter whenever it can.",
    ),
    make(
      3,
      "origin1-to-sp",
      "10.1.0.0/24",
      ["grf1", "router"],
      ["origin1"],
      "The OC-12 host has its own PVC to the GigaRouter; its fallback is the division router.",
    ),
  ];
}

const compute = (): string[] => PLACES.filter(({ role }) => role === "compute").map(({ name }) => name);
const idOf = (name: string): number => PLACES.find((place) => place.name === name)?.id ?? 0;

export function paths(now: number, scenario: Scenario): Path[] {
  const cut = scenario === "cut";
  const all = policies().flatMap((policy) => policy.nodes.map((node) => ({ policy, node })));
  return all.map(({ policy, node }, index) => {
    const [first = "", second = ""] = policy.gateways;
    const active = cut ? second : first;
    const linkOf = (name: string) =>
      links(now, scenario)
        .filter(({ source }) => source === `node:${idOf(name)}`)
        .map(({ id }) => id);
    return {
      id: index + 1,
      name: `${node} ${policy.prefix}`,
      kind: "path",
      policy: policy.name,
      policy_id: policy.id,
      node,
      node_id: idOf(node),
      prefix: policy.prefix,
      active,
      preferred: first,
      on_fallback: cut,
      state: cut ? "warning" : "ok",
      state_text: cut ? `on its fallback ${second}` : `on ${first}`,
      since: iso(now - (cut ? 40_000 : 5 * HOUR)),
      age_s: 1,
      target: policy.target,
      target_alive: true,
      rtt_ms: 0.42 + index / 50,
      switches_24h: cut ? 1 : 0,
      last_outage_ms: cut ? 131 + index * 4 : null,
      detection: policy.detection,
      switches_7d: cut ? 2 : 1,
      fallback_24h_s: cut ? 40 : 0,
      last_outage_at: cut ? iso(now - 40_000) : null,
      failback: null,
      standby_dead: cut ? [first] : [],
      managed: node.startsWith("sp"),
      engine: node.startsWith("sp") ? (index < 4 ? "bird" : "frr") : null,
      released: "",
      deployed: index < 4,
      saved: index === 1 ? "would change on reboot" : node.startsWith("sp") ? "yes" : "unknown",
      move: null,
      hold: null,
      last_decision: cut
        ? {
            at: iso(now - 40_000),
            reason: "failed",
            from_gateway: first,
            to_gateway: second,
            evidence: `3 of 3 probes to 10.9.0.1 through ${first} lost in 150 ms; ${second} answers in 2.1 ms`,
            took_ms: 0.4,
            held_back: 0,
          }
        : null,
      gateways: policy.gateways.map((name, order) => ({
        name,
        node_id: idOf(name),
        order,
        active: name === active,
        alive: !(cut && name === "grf1"),
        standby: name === active ? null : cut ? "dead" : "verified",
        since: iso(now - (cut ? 40_000 : 5 * HOUR)),
        rtt_ms: cut && name === "grf1" ? null : 0.21 + order / 4,
      })),
      hops: [`node:${idOf(node)}`, "fabric:1", `node:${idOf(active)}`, "node:13"],
      links: linkOf(active),
      standby_links: linkOf(cut ? first : second),
      url: `/paths?node=${node}`,
    };
  });
}

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
    node_id: null,
    link_id: null,
    path_ids: [],
    cause_id: null,
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
        kind: "gateway_failed_over",
        state: "warning",
        title: "grf1: 8 of 8 nodes of sp-default are on atmgw",
        detail:
          "The traffic continues on the fallback. Find out why grf1 does not answer; the nodes go back by themselves when it does.",
        node_id: 10,
        path_ids: [1, 2, 3, 4, 5, 6, 7, 8],
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
      (query.get("node") === null || incident.node_id === idOf(query.get("node") ?? "")),
  );
}

export function agents(scenario: Scenario): Agent[] {
  return nodesOut(scenario)
    .filter(({ name }) => name !== "grf1")
    .map((node) => ({
      id: `agent-${node.id}`,
      name: node.name,
      kind: "agent",
      node: node.name,
      state: node.state,
      state_text: node.state_text,
      since: node.since,
      age_s: node.age_s,
      version: "0.1.0",
      clock_offset_s: node.clock_offset_s,
      spool_waiting: 0,
      spool_dropped: 0,
      sources: node.name === "mgmt1" ? ["linux", "snmp:grf1"] : ["linux", "bird"],
      revoked: false,
      url: "/settings/agents",
    }));
}

export function history(
  id: number,
  start: string,
  end: string,
  now: number,
  scenario: Scenario,
): LinkHistory | null {
  const link = links(now, scenario).find((one) => one.id === id);
  const from = moment(start, now / 1000);
  const to = moment(end, now / 1000);
  if (link === undefined || from === null || to === null) return null;
  const step = Math.max(2, Math.ceil((to - from) / 400));
  const at = Array.from(
    { length: Math.floor((to - from) / step) },
    (_, index) => Math.floor(from) + index * step,
  );
  const sample = (second: number, direction: "forward" | "back") =>
    links(second * 1000, scenario === "cut" ? "normal" : scenario).find((one) => one.id === id)?.[
      direction
    ] ?? null;
  const gap = (second: number) =>
    (scenario === "cut" && second > now / 1000 - 40) || Math.floor(second / 60) % 37 === 0;
  const column = (direction: "forward" | "back", peak: boolean) =>
    at.map((second) =>
      gap(second) ? null : Math.round((sample(second, direction)?.bps ?? 0) * (peak ? 1.25 : 1)),
    );
  return {
    usable_rate: link.usable_rate,
    step_s: step,
    at,
    forward_mean: column("forward", false),
    forward_max: column("forward", true),
    back_mean: column("back", false),
    back_max: column("back", true),
    forward_p95: Math.round(link.usable_rate * 0.31),
    back_p95: Math.round(link.usable_rate * 0.27),
    measured_at: `${link.name.split("-")[0]}`,
    resets: [Math.floor(from + (to - from) * 0.7)],
  };
}

export function overview(now: number, scenario: Scenario): Overview {
  const item = (title: string, detail: string, state: Node["state"], url: string) => ({
    title,
    detail,
    state,
    since: iso(now - 40_000),
    url,
  });
  const open = incidents(now, scenario, new URLSearchParams("phase=current"));
  const busy = linkDetails(now, scenario)
    .map((link) => ({ link, use: Math.max(link.forward?.utilisation ?? 0, link.back?.utilisation ?? 0) }))
    .sort((a, b) => b.use - a.use);
  const changed = events(now, scenario, new URLSearchParams("kind=path.switched"));
  const full = busy.filter(({ use }) => use >= thresholds.nearly_full);
  const waiting = changes(now, "confirming");
  const stale = nodes(scenario).filter(({ state }) => state === "unknown");
  return {
    site: SITE,
    at: iso(now),
    headline:
      scenario === "cut"
        ? "2 items need attention. 10 paths are on their fallback for 40 s."
        : scenario === "saturated"
          ? "1 item needs attention: grf1:ga030 -> origin1:at0 is nearly full."
          : "All 10 paths are on their preferred gateway; no item needs attention.",
    tiles: [
      {
        kind: "problems",
        total: open.filter(({ kind }) => kind !== "saturation").length,
        items: open
          .filter(({ kind }) => kind !== "saturation")
          .map((one) => item(one.title, one.name, one.state, one.url)),
        url: "/incidents?phase=current",
      },
      {
        kind: "nearly_full",
        total: full.length,
        items: full.map(({ link, use }) =>
          item(link.name, `out ${Math.round(use * 100)} %`, "warning", link.url),
        ),
        url: "/links?sort=-utilisation",
      },
      {
        kind: "recent_changes",
        total: changed.length,
        items: changed.slice(0, 5).map((one) => item(one.message, "path switched", one.state, one.url)),
        url: "/events",
      },
      {
        kind: "awaiting_confirmation",
        total: waiting.length,
        items: waiting.map((one) => item(`${one.name} ${one.title}`, one.state_text, "warning", one.url)),
        url: "/changes?state=current",
      },
      {
        kind: "not_reporting",
        total: stale.length,
        items: stale.map((node) => item(node.name, node.state_text, "unknown", node.url)),
        url: "/devices?state=unknown",
      },
    ],
    top_links: busy.slice(0, 6).map(({ link }) => link),
    paths_total: 10,
    paths_on_fallback: scenario === "cut" ? 10 : 0,
    open_incidents: open.length,
    held_nodes: 0,
  };
}
