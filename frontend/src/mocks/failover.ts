/** Drift, drills and a stripe of the mock API, one of each kind. */
import type { Drift, Drill, GroupIn, GroupPreview, PolicyIn, Stripe } from "@/api/types";
import { HOUR, iso } from "@/mocks/network";

export function drift(now: number): Drift[] {
  const make = (node: string, node_id: number, more: Partial<Drift>): Drift => ({
    node,
    node_id,
    engine: "bird",
    state: "warning",
    since: iso(now - HOUR),
    age_s: 3600,
    running_differs: false,
    saved_differs: false,
    reboot: false,
    on_fallback: false,
    text: "",
    intended_by: 40,
    items: [],
    url: `/drift?node=${node}`,
    ...more,
  });
  return [
    make("sp02", 2, {
      running_differs: true,
      reboot: true,
      text: "The route was changed manually; a reboot reverts it.",
      items: [
        {
          what: "0.0.0.0/0",
          kind: "route",
          intended: "via grf1 10.1.0.14 pref 60\nvia atmgw 10.1.0.15 pref 70",
          running: "via atmgw 10.1.0.15 pref 60",
          saved: "via grf1 10.1.0.14 pref 60\nvia atmgw 10.1.0.15 pref 70",
          reboot: true,
          on_fallback: false,
          text: "atmgw is preferred now, grf1 after a reboot.",
        },
      ],
    }),
    make("sp06", 6, {
      engine: "frr",
      saved_differs: true,
      text: "The file was edited manually.",
      items: [
        {
          what: "/etc/frr/frr.conf",
          kind: "file",
          intended: "sha256 1f3a…",
          running: "",
          saved: "sha256 77c0…",
          reboot: false,
          on_fallback: false,
          text: "A line outside the Backstay block was added manually.",
        },
      ],
    }),
    make("sp03", 3, {
      state: "ok",
      on_fallback: true,
      reboot: true,
      text: "On its fallback because grf1 is down; grf1 is preferred after a reboot.",
      items: [
        {
          what: "0.0.0.0/0",
          kind: "route",
          intended: "via grf1 10.1.0.14 pref 60",
          running: "via atmgw 10.1.0.15 pref 60",
          saved: "via grf1 10.1.0.14 pref 60",
          reboot: true,
          on_fallback: true,
          text: "The checker uses atmgw.",
        },
      ],
    }),
  ];
}

export function drills(now: number): Drill[] {
  const make = (id: number, more: Partial<Drill>): Drill => ({
    id,
    name: `drill ${id}`,
    kind: "drill",
    site: "argonne",
    policy: "sp-default",
    policy_id: 1,
    gateway: "",
    nodes: [],
    state: "passed",
    state_text: "",
    since: iso(now - 30 * HOUR),
    age_s: 108_000,
    author: "alice",
    cancelled_by: "",
    may_cancel: false,
    reason: "Each month",
    at: iso(now - 30 * HOUR),
    seconds: 30,
    every_days: 30,
    refused_because: [],
    members: [],
    worst_outage_ms: null,
    fallback_bps: null,
    fallback_utilisation: null,
    url: `/drills/${id}`,
    ...more,
  });
  return [
    make(3, { state: "scheduled", state_text: "starts in 2 d", at: iso(now + 48 * HOUR), may_cancel: true }),
    make(2, {
      state: "passed",
      state_text: "2 nodes moved and returned",
      worst_outage_ms: 3.2,
      fallback_bps: 4.1e6,
      fallback_utilisation: 0.31,
      members: ["sp01", "sp02"].map((node, index) => ({
        node,
        node_id: index + 1,
        path_id: index + 1,
        gateway: "atmgw",
        moved_at: iso(now - 30 * HOUR),
        state: "returned",
        detail: "",
        outage_out_ms: 1.1 + index,
        outage_back_ms: 3.2,
        rtt_ms: 2.1,
      })),
    }),
    make(1, {
      state: "refused",
      state_text: "refused",
      refused_because: [
        "atmgw:at0-router:at1 would carry 41.2 of 13.5 Mb/s. Name fewer nodes, or wait for a quieter hour.",
      ],
      at: iso(now - 60 * HOUR),
    }),
  ];
}

/** Three parts of the same size, as a stripe of the mock site always is. */
export function stripePreview({ stripe, nodes }: PolicyIn): Stripe {
  const gateways = stripe?.gateways ?? [];
  const names = nodes.names ?? [];
  return {
    imbalance: 0,
    shares: gateways.map((gateway, index) => ({
      gateway,
      nodes: names.filter((_, at) => at % gateways.length === index),
      share: 1 / gateways.length,
      bps: 12e6,
      if_lost: Object.fromEntries(gateways.filter((other) => other !== gateway).map((other) => [other, 1])),
      usable_bps: 53.8e6,
      utilisation: 0.12,
      takes_over: gateways
        .filter((other) => other !== gateway)
        .map((other) => ({ gateway: other, nodes: 1, bps: 16e6, utilisation: 0.3 })),
    })),
  };
}

/** The compute nodes with these names or matching these prefixes. */
export function groupPreview({ nodes: { names = [] }, gateways = [] }: GroupIn): GroupPreview {
  const members = Array.from({ length: 8 }, (_, index) => `sp0${index + 1}`).filter((node) =>
    names.some((name) => node === name || (name.endsWith("*") && node.startsWith(name.slice(0, -1)))),
  );
  return {
    total: members.length,
    nodes: members,
    not_managed_total: 0,
    not_managed: [],
    own_gateways: members.filter((node) => gateways.includes(node)),
    roles: ["compute", "gateway", "router", "server"],
    labels: ["quadrant"],
  };
}
