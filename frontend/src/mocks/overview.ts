/** The overview of the mock API, derived from its lists. */
import type { Node, Overview, OverviewItem, PastOverview, PolicyOutcome } from "@/api/types";
import { changes } from "@/mocks/changes";
import { eventGroups, incidents } from "@/mocks/incidents";
import { iso, linkDetails, nodes, SITE, type Scenario } from "@/mocks/network";
import { paths } from "@/mocks/paths";
import { thresholds } from "@/util/spec.json";

function policyOutcomes(now: number, scenario: Scenario): PolicyOutcome[] {
  return [...Map.groupBy(paths(now, scenario), ({ policy }) => policy)].map(([policy, of]) => {
    const rerouted = of.filter(({ on_fallback }) => on_fallback).length;
    return {
      policy,
      policy_id: of[0]?.policy_id ?? 0,
      prefix: of[0]?.prefix ?? "",
      preferred: of[0]?.preferred ?? "",
      nodes: of.length,
      dead: 0,
      rerouted,
      unknown: 0,
      active: [...Map.groupBy(of, ({ active }) => active)].map(([name, users]) => ({
        name,
        nodes: users.length,
      })),
      without_standby: rerouted,
      verified: of.length - rerouted,
      state: rerouted > 0 ? "warning" : "ok",
      state_text: rerouted > 0 ? "standby dead" : "standby verified",
      url: `/paths?policy=${policy}`,
    };
  });
}

export function overview(now: number, scenario: Scenario): Overview {
  const item = (
    title: string,
    detail: string,
    state: Node["state"],
    url: string,
    more: Partial<OverviewItem> = {},
  ): OverviewItem => ({
    title,
    detail,
    state,
    since: iso(now - 40_000),
    until: null,
    refusal: "",
    url,
    ...more,
  });
  const current = { as_of: iso(now), lag: "" };
  const open = incidents(now, scenario, new URLSearchParams("phase=current"));
  const busy = linkDetails(now, scenario)
    .map((link) => ({ link, use: Math.max(link.forward?.utilisation ?? 0, link.back?.utilisation ?? 0) }))
    .sort((a, b) => b.use - a.use);
  const changed = eventGroups(now, scenario, new URLSearchParams("kind=path.switched"));
  const full = busy.filter(({ use }) => use >= thresholds.nearly_full);
  const waiting = [...changes(now, "confirming"), ...changes(now, "planned")];
  const causes = open.filter(({ cause_id }) => cause_id === null);
  const stale = nodes(scenario).filter(({ state }) => state === "unknown");
  return {
    site: SITE,
    at: iso(now),
    headline:
      scenario === "cut"
        ? "grf1 is unreachable: 10 paths rerouted to atmgw. 1 change awaits approval."
        : scenario === "saturated"
          ? "1 problem needs attention. 1 link direction is full. 1 change awaits approval."
          : "No problems. 1 change awaits approval.",
    tiles: [
      {
        kind: "problems",
        total: causes.length,
        items: causes.map((one) => item(one.title, one.name, one.state, one.url)),
        url: "/incidents?phase=current",
        ...current,
      },
      {
        kind: "nearly_full",
        total: full.length,
        items: full.map(({ link, use }) =>
          item(link.name, `out ${Math.round(use * 100)} %`, "warning", link.url),
        ),
        url: "/links?sort=-utilisation",
        ...current,
      },
      {
        kind: "recent_changes",
        total: changed.length,
        items: changed
          .slice(0, 5)
          .map(({ title, detail, state, url, start, end }) =>
            item(title, detail, state, url, { since: start, until: end }),
          ),
        url: "/events",
        ...current,
      },
      {
        kind: "awaiting_confirmation",
        total: waiting.length,
        items: waiting.map((one) => item(`${one.name} ${one.title}`, one.state_text, "warning", one.url)),
        url: "/changes?state=current",
        ...current,
      },
      {
        kind: "not_reporting",
        total: stale.length,
        items: stale.map((node) => item(node.name, node.state_text, "unknown", node.url)),
        url: "/devices?state=unknown",
        ...current,
      },
    ],
    top_links: busy.slice(0, 6).map(({ link }) => link),
    policies: policyOutcomes(now, scenario),
    paths_total: 10,
    paths_on_fallback: scenario === "cut" ? 10 : 0,
    paths_dead: 0,
    paths_unknown: 0,
    open_incidents: open.length,
    root_causes: causes.length,
    awaiting: waiting.length,
    evaluation_late_s: null,
    held_nodes: 0,
    failed_deliveries: 0,
    nodes_total: 14,
    fallbacks: {
      headline: "1 of 4 fallbacks would not hold",
      state: "warning",
      total: 4,
      holds: 3,
      would_not_hold: 1,
      unknown: 0,
      items: [
        {
          title: "grf1",
          detail: "atmgw:at0 would carry 142 % of 134.5 Mb/s.",
          state: "warning",
          since: new Date(now - 600_000).toISOString(),
          until: null,
          confirm_by: null,
          refusal: "",
          url: "/capacity/1",
        },
      ],
      as_of: new Date(now - 20_000).toISOString(),
      age_s: 20,
      is_stale: false,
      error: "",
      url: "/capacity",
    },
  };
}

/** The overview at a past moment, after a failover; times in ISO 8601. */
export const pastOverview = (at: string, start: string): PastOverview => ({
  site: SITE,
  at,
  start,
  headline: "1 path was dead. No incident was open.",
  tiles: [
    {
      kind: "failovers",
      total: 10,
      items: [
        {
          title: "grf1 → atmgw",
          detail: "10 paths of sp-default",
          state: "warning",
          since: "2026-05-01T10:30:00Z",
          until: "2026-05-01T10:30:05Z",
          refusal: "",
          url: "/paths?policy=sp-default",
        },
      ],
      url: "/paths",
      lag: "",
    },
    { kind: "outages", total: 0, items: [], url: "/paths", lag: "" },
    { kind: "nearly_full", total: 0, items: [], url: "/links", lag: "3 of 9 links measured at that time." },
  ],
  top_links: linkDetails(Date.parse(at), "cut").slice(0, 1),
  policies: policyOutcomes(Date.parse(at), "cut"),
  paths_total: 10,
  paths_on_fallback: 9,
  paths_dead: 1,
  paths_unknown: 0,
  open_incidents: 0,
  root_causes: 0,
  held_nodes: 0,
  nodes_total: 14,
  not_kept: ["whether standbys worked", "agents that did not report"],
});
