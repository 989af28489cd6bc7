/** Failover policies of the mock API with their paths and history. */
import type { PathGroup } from "@/api/models/paths";
import type { Outage, Path, PathHistory, PathTimeline, Policy, PolicyOutages } from "@/api/types";
import { HOUR, idOf, iso, links, PLACES, SITE, type Scenario } from "@/mocks/network";

/** Remaining fields of a policy; two of its nodes are not managed. */
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
    is_preconfigured: id !== 2,
    undetected: id === 2 ? [...of] : [],
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

const switchOutage = (now: number, index: number): Outage => ({
  id: index + 1,
  start: iso(now - 40_000),
  end: iso(now - 40_000 + 131 + index * 4),
  duration_ms: 131 + index * 4,
  text: `${131 + index * 4} ms`,
  cause: "switch",
  cause_text: "gateway switch",
  measured_by: "probes",
  measure_text: "probes every 50 ms, ±50 ms",
  uncertainty_ms: 50,
});

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
      end_to_end: "working",
      placement: cut ? "fallback" : "preferred",
      standby: cut ? "dead" : "verified",
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
      last_outage: cut ? switchOutage(now, index) : null,
      failback: null,
      standby_dead: cut ? [first] : [],
      managed: node.startsWith("sp"),
      engine: node.startsWith("sp") ? (index < 4 ? "bird" : "frr") : null,
      released: "",
      deployed: index < 4,
      in_force: true,
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
        use: name === active ? "active" : cut ? "standby_dead" : "standby_verified",
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

/** One group per policy, as all paths of a scenario are alike. */
export function pathGroups(now: number, scenario: Scenario): PathGroup[] {
  const byPolicy = Map.groupBy(paths(now, scenario), ({ policy }) => policy);
  return [...byPolicy.values()].flatMap((rows) => {
    const first = rows[0];
    if (first === undefined) return [];
    const { policy, policy_id, prefix, in_force, preferred, active } = first;
    const { state, end_to_end, placement, standby, since } = first;
    const nodes = rows.length === 1 ? "1 node" : `${rows.length} nodes`;
    return {
      key: `key of ${policy}`,
      kind: "path_group",
      text:
        placement === "fallback"
          ? `${nodes} fell over from ${preferred} to ${active}`
          : `${nodes} through ${active}`,
      paths: rows.length,
      policy,
      policy_id,
      prefix,
      in_force,
      preferred,
      active,
      state,
      end_to_end,
      placement,
      standby,
      since,
      moved_until: placement === "fallback" ? since : null,
      switches_24h: rows.reduce((sum, { switches_24h }) => sum + switches_24h, 0),
      last_outage: rows.at(-1)?.last_outage ?? null,
      cause: placement === "fallback" ? { id: 1, text: "grf1 lost all links", url: "/incidents/1" } : null,
      only: rows.length === 1 ? first : null,
      url: `/paths?policy=${policy}`,
    };
  });
}

/** Observed for three hours of the range; unknown before. */
export function pathHistory(
  now: number,
  scenario: Scenario,
  id: number,
  since = now - 24 * HOUR,
): PathHistory | null {
  const path = paths(now, scenario).find((one) => one.id === id);
  if (path === undefined) return null;
  const cut = scenario === "cut";
  const observed = Math.max(since, now - 3 * HOUR);
  const moved = now - 40_000;
  const part = (
    state: PathHistory["segments"][number]["state"],
    gateway: string,
    start: number,
    end: number,
  ) => ({
    state,
    gateway,
    start: iso(start),
    end: iso(end),
    outage_ms: state === "fallback" ? path.last_outage_ms : null,
    on_fallback: state === "fallback",
  });
  const segments = [
    part("unknown", "", since, observed),
    part("preferred", path.preferred, observed, cut ? moved : now),
    ...(cut ? [part("fallback", path.active, moved, now)] : []),
  ];
  return {
    path_id: id,
    since: iso(since),
    until: iso(now),
    segments: segments.filter(({ start, end }) => start < end),
    switches: cut
      ? [
          {
            at: iso(moved),
            from_gateway: path.preferred,
            to_gateway: path.active,
            outage_ms: path.last_outage_ms,
            outage_text: path.last_outage?.text ?? "",
          },
        ]
      : [],
    outages: path.last_outage === null ? [] : [path.last_outage],
  };
}

export function pathTimeline(now: number, scenario: Scenario, id: number): PathTimeline | null {
  const history = pathHistory(now, scenario, id);
  const path = paths(now, scenario).find((one) => one.id === id);
  if (history === null || path === undefined) return null;
  const decisions = path.last_decision === null ? [] : [path.last_decision];
  return { ...history, decisions, moves: [], more_decisions: false, more_moves: false };
}

/** The last 30 days or 12 months; three are observed, the last one has an outage. */
export function policyOutages(now: number, id: number, by: PolicyOutages["by"]): PolicyOutages {
  const day = 24 * HOUR;
  const count = by === "day" ? 30 : 12;
  const length = by === "day" ? day : 30 * day;
  const items = Array.from({ length: count }, (_, index) => {
    const start = now - (now % day) - (count - 1 - index) * length;
    const isKnown = index >= count - 3;
    const isLost = index === count - 1;
    return {
      start: iso(start),
      end: iso(start + length),
      outages: isLost ? 2 : 0,
      paths: isLost ? 2 : 0,
      ongoing: 0,
      outage_s: isLost ? 20.65 : 0,
      worst_s: isLost ? 20.35 : 0,
      worst_node: isLost ? "sp01" : "",
      worst_text: isLost ? "sp01, 20.35 s" : "",
      observed_s: isKnown ? (8 * length) / 1000 : 0,
      text: isLost ? "20.65 s on 2 paths" : isKnown ? "no outage" : "no data",
    };
  });
  return {
    policy_id: id,
    policy: "sp-default",
    by,
    timezone: "UTC",
    items,
    outage_s: 20.65,
    observed_s: items.reduce((sum, { observed_s }) => sum + observed_s, 0),
    text: "20.65 s in 2 outages",
  };
}
