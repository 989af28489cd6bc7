/** The overview of the mock API, made from its lists. */
import type { Node, Overview } from "@/api/types";
import { changes } from "@/mocks/changes";
import { events, incidents } from "@/mocks/incidents";
import { iso, linkDetails, nodes, SITE, type Scenario } from "@/mocks/network";
import { thresholds } from "@/util/spec.json";

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
