/** A small site for the tests of the map. */

import type { Load, NetworkEvent, Path, Topology, TopologyLink, TopologyNode } from "@/api/types";

export const AT = "2026-05-01T12:00:00Z";

export function load(utilisation: number, over: Partial<Load> = {}): Load {
  return { bps: Math.round(utilisation * 50e6), utilisation, peak_bps: null, at: AT, fresh: true, ...over };
}

function node(id: number, name: string, tier: number, over: Partial<TopologyNode> = {}): TopologyNode {
  return {
    key: `node:${id}`,
    id,
    name,
    title: "",
    kind: "host",
    role: "compute",
    tier,
    state: "ok",
    state_text: "reported 1 s ago",
    since: null,
    age_s: 1,
    incidents: 0,
    gateway: null,
    url: `/devices/${id}`,
    ...over,
  };
}

export function link(
  id: number,
  source: string,
  target: string,
  over: Partial<TopologyLink> = {},
): TopologyLink {
  return {
    id,
    name: `${source}-${target}`,
    source,
    target,
    source_port: "a",
    target_port: "b",
    fabric: "sp-switch",
    kind: "link",
    circuit: "",
    usable_rate: 50e6,
    state: "ok",
    state_text: "up",
    carrier: "up",
    carries: "active",
    forward: load(0.1),
    back: load(0.2),
    incidents: 0,
    url: `/links/${id}`,
    ...over,
  };
}

/** So many SP nodes behind a switch, two gateways and the router; link ids 1.. for the nodes, then 101.. */
export function site(spNodes: number): Pick<Topology, "nodes" | "links"> {
  const sp = Array.from({ length: spNodes }, (_, index) =>
    node(index + 1, `sp${String(index + 1).padStart(2, "0")}`, 0),
  );
  const css = node(1, "css", 1, { key: "fabric:1", kind: "fabric", role: "sp_switch", url: "/fabrics" });
  const grf1 = node(201, "grf1", 2, { kind: "gateway", role: "gateway" });
  const atmgw = node(202, "atmgw", 2, { kind: "gateway", role: "gateway" });
  const router = node(203, "router", 3, { kind: "router", role: "router" });
  return {
    nodes: [...sp, css, grf1, atmgw, router],
    links: [
      ...sp.map(({ id, key }) => link(id, key, css.key)),
      link(101, grf1.key, css.key),
      link(102, atmgw.key, css.key, { carries: "standby_verified" }),
      link(103, grf1.key, router.key, { fabric: "atm-oc12" }),
      link(104, atmgw.key, router.key, { fabric: "atm-oc3", carries: "standby_verified" }),
    ],
  };
}

/**
 * A cluster of racks: hosts with two links to their rack switch, which has a link to each of two spines, then a gateway and the
 * router. Host 7 of rack 3 is `h3-07`; its rack switch is `rack3`.
 */
export function rackSite(racks: number, hosts: number): Pick<Topology, "nodes" | "links"> {
  let id = 0;
  const add = (name: string, tier: number, over: Partial<TopologyNode>): TopologyNode =>
    node((id += 1), name, tier, over);
  const spines = [0, 1].map((at) => add(`spine${at}`, 1, { kind: "switch", role: "switch" }));
  const gateway = add("gw0", 2, { kind: "gateway", role: "gateway" });
  const router = add("router0", 3, { kind: "router", role: "router" });
  const nodes = [...spines, gateway, router];
  const links: TopologyLink[] = [];
  const join = (one: TopologyNode, other: TopologyNode, over: Partial<TopologyLink> = {}): void => {
    links.push(link(links.length + 1, one.key, other.key, { name: `${one.name}-${other.name}`, ...over }));
  };
  for (let rack = 0; rack < racks; rack += 1) {
    const leaf = add(`rack${rack}`, 1, { kind: "switch", role: "switch" });
    nodes.push(leaf);
    for (let at = 0; at < hosts; at += 1) {
      const host = add(`h${rack}-${String(at).padStart(2, "0")}`, 0, {});
      nodes.push(host);
      join(host, leaf, { fabric: "lan" });
      join(host, leaf, { fabric: "san" });
    }
    for (const spine of spines) join(leaf, spine, { fabric: "lan" });
  }
  for (const spine of spines) join(gateway, spine, { fabric: "lan" });
  join(gateway, router, { fabric: "wan" });
  return { nodes, links };
}

export function path(nodeId: number, over: Partial<Path> = {}): Path {
  const name = `sp${String(nodeId).padStart(2, "0")}`;
  return {
    id: nodeId,
    name: `${name} to 0.0.0.0/0`,
    kind: "path",
    policy: "sp-default",
    policy_id: 1,
    node: name,
    node_id: nodeId,
    prefix: "0.0.0.0/0",
    active: "grf1",
    preferred: "grf1",
    on_fallback: false,
    end_to_end: "working",
    placement: "preferred",
    standby: "verified",
    state: "ok",
    state_text: "via grf1",
    since: null,
    age_s: 1,
    target: null,
    target_alive: null,
    rtt_ms: null,
    switches_24h: 0,
    last_outage_ms: null,
    gateways: [],
    hops: [],
    detection: "checker",
    switches_7d: 0,
    fallback_24h_s: 0,
    last_outage_at: null,
    last_outage: null,
    failback: null,
    standby_dead: [],
    last_decision: null,
    managed: true,
    engine: "bird",
    released: "",
    deployed: true,
    in_force: true,
    saved: "yes",
    move: null,
    hold: null,
    links: [nodeId, 101, 103],
    standby_links: [102, 104],
    url: "/paths",
    ...over,
  };
}

export function switched(nodeId: number, since: string, from = "grf1", to = "atmgw"): NetworkEvent {
  return {
    id: nodeId,
    kind: "path.switched",
    name: `sp0${nodeId}`,
    state: "warning",
    since,
    age_s: 0,
    message: "",
    node: `sp0${nodeId}`,
    node_id: nodeId,
    link_id: null,
    incident_id: null,
    data: { from, to },
    url: "/events",
  };
}
