/**
 * The topology as it would be under a failure that a plan looked at: what failed is down, links carry what they would carry,
 * nodes are in the state that they would be in. Pure; the drawing is the map's own.
 */

import type { Impact, Topology, TopologyLink, TopologyNode } from "@/api/types";
import type { Changed } from "./changed";

type Drawable = Pick<Topology, "nodes" | "links" | "at">;

export interface WhatIf {
  readonly topology: Drawable;
  /** Nodes that go over another gateway and links whose load differs: they get the map's halo. */
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
          ? "cut off"
          : looping.has(node.name)
            ? "its packets go in a circle"
            : moved.has(node.name)
              ? "goes on over another gateway"
              : null;
    if (text !== null)
      fates.set(node.key, {
        ...node,
        state: text.startsWith("goes on") ? "warning" : "critical",
        state_text: text,
        incidents: 0,
      });
  }
  return fates;
}

/** Whether a drawn node is what fails. */
function failsWith({ kind, id }: TopologyNode, impact: Impact): boolean {
  if (impact.kind === "node") return kind !== "fabric" && id === impact.id;
  return impact.kind === "fabric" && kind === "fabric" && id === impact.id;
}

/** Whether a link goes down with what fails. */
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
      state_text: "down with what fails",
      carries: "dead",
      forward: null,
      back: null,
      incidents: 0,
    };
  if (load === undefined) return link;
  // The plan tells of the busier direction only: both halves are drawn with it rather than one of them wrong.
  const then = { bps: load.bps, utilisation: load.utilisation, peak_bps: null, at, fresh: true };
  return {
    ...link,
    state: load.utilisation > 1 ? "critical" : "ok",
    state_text: "as it would be",
    carries: load.bps > 0 ? "active" : link.carries,
    forward: then,
    back: then,
    incidents: 0,
  };
}
