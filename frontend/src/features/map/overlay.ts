/**
 * The topology after a simulated failure of a plan: failed objects are down, links carry their predicted load. Pure.
 */

import type { Impact, Topology, TopologyLink, TopologyNode } from "@/api/types";
import type { Changed } from "./recentChanges";

type Drawable = Pick<Topology, "nodes" | "links" | "at">;

export interface WhatIf {
  readonly topology: Drawable;
  /** Nodes that use another gateway and links whose load differs; drawn with a halo. */
  readonly changed: Changed;
}

/** The site under `impact`. */
export function under(topology: Drawable, impact: Impact): WhatIf {
  const loads = new Map(impact.links.map((load) => [load.link_id, load]));
  const fates = fatesOf(topology.nodes, impact);
  const nodes = topology.nodes.map((node) => fates.get(node.key) ?? node);
  const moved = new Set(impact.moved);
  return {
    topology: {
      ...topology,
      nodes,
      links: topology.links.map((link) => linkUnder(link, topology, impact, loads.get(link.id))),
    },
    changed: {
      nodes: new Set(
        topology.nodes.filter(({ kind, name }) => kind !== "fabric" && moved.has(name)).map(({ id }) => id),
      ),
      links: new Set(loads.keys()),
    },
  };
}

function fatesOf(nodes: readonly TopologyNode[], impact: Impact): Map<string, TopologyNode> {
  const [cut, looping, moved] = [new Set(impact.cut_off), new Set(impact.looping), new Set(impact.moved)];
  const fates = new Map<string, TopologyNode>();
  for (const node of nodes) {
    const text = failsWith(node, impact)
      ? "fails"
      : node.kind === "fabric"
        ? null
        : cut.has(node.name)
          ? "isolated"
          : looping.has(node.name)
            ? "routing loop"
            : moved.has(node.name)
              ? "uses another gateway"
              : null;
    if (text !== null)
      fates.set(node.key, {
        ...node,
        state: text.startsWith("uses") ? "warning" : "critical",
        state_text: text,
        incidents: 0,
      });
  }
  return fates;
}

/** Whether a node of the map is the failed object. */
function failsWith({ kind, id }: TopologyNode, impact: Impact): boolean {
  if (impact.kind === "node") return kind !== "fabric" && id === impact.id;
  return impact.kind === "fabric" && kind === "fabric" && id === impact.id;
}

/** Whether a link goes down with the failed object. */
function goesDown(link: TopologyLink, nodes: readonly TopologyNode[], impact: Impact): boolean {
  if (impact.kind === "link") return link.id === impact.id;
  const failed = nodes.find((node) => failsWith(node, impact));
  return (
    failed !== undefined &&
    (link.source === failed.key ||
      link.target === failed.key ||
      (failed.kind === "fabric" && link.fabric === failed.name))
  );
}

function linkUnder(
  link: TopologyLink,
  { nodes, at }: Drawable,
  impact: Impact,
  load: Impact["links"][number] | undefined,
): TopologyLink {
  if (goesDown(link, nodes, impact))
    return {
      ...link,
      state: "critical",
      state_text: "down after the failure",
      carrier: "down",
      carries: "dead",
      forward: null,
      back: null,
      incidents: 0,
    };
  if (load === undefined) return link;
  // The plan contains the load of the busier direction only; both halves show it.
  const then = { bps: load.bps, utilisation: load.utilisation, peak_bps: null, at, fresh: true };
  return {
    ...link,
    state: load.utilisation > 1 ? "critical" : "ok",
    state_text: "predicted load",
    carries: load.bps > 0 ? "active" : link.carries,
    forward: then,
    back: then,
    incidents: 0,
  };
}
