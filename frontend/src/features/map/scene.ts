/** Converts the map model into the scene that ui/graph renders. Pure. */

import type { Changed } from "./recentChanges";
import type { MapModel, MapLink, MapLoad, MapNode } from "./mapModel";
import { rules, STROKE_LABELS, TIER_LABELS } from "./rules";
import type { EmphasisMap } from "./mapFilters";
import { factSpec } from "@/ui/FactMark";
import type { HalfLoad, Scene, SceneLink, SceneNode } from "@/ui/graph/scene";
import { widthStep } from "@/ui/graph/render/width";
import { percent, rate } from "@/util/units";

interface SceneInput {
  readonly model: MapModel;
  readonly emphasis: EmphasisMap;
  readonly changed: Changed;
  /** Factor between real and lab rates; line widths show the real capacity. */
  readonly rateScale: number;
  /** Live data is stale: everything is drawn as unknown. */
  readonly stale: boolean;
}

export function makeScene(given: SceneInput): Scene {
  const names = new Map(given.model.nodes.map((node) => [node.key, node.name]));
  return {
    nodes: given.model.nodes.map((node) => sceneNode(node, given)),
    links: given.model.links.map((link) => sceneLink(link, given, names)),
    tiers: TIER_LABELS,
  };
}

function sceneNode(node: MapNode, { emphasis, changed, stale }: SceneInput): SceneNode {
  const tone = stale ? "unknown" : node.state;
  const incidents = node.incidents > 0 ? `, ${node.incidents} incidents` : "";
  const gateway = node.gateway === null || stale ? "" : `, ${node.gateway.text}`;
  return {
    key: node.key,
    label: node.name,
    glyph: rules.glyph(node),
    tone,
    tier: node.tier,
    group: node.role,
    badge: node.incidents,
    halo: node.kind !== "fabric" && node.members.some((member) => changed.nodes.has(member.id)),
    emphasis: emphasis.nodes.get(node.key) ?? "normal",
    description: `${node.name}, ${node.kind}, ${tone}, ${stale ? "no live data" : node.stateText}${gateway}${incidents}`,
  };
}

function sceneLink(link: MapLink, given: SceneInput, names: ReadonlyMap<string, string>): SceneLink {
  const { emphasis, changed, rateScale, stale } = given;
  const stroke = stale ? "unknown" : (emphasis.strokes.get(link.key) ?? rules.stroke(link));
  const [source, target] = [names.get(link.source) ?? link.source, names.get(link.target) ?? link.target];
  return {
    key: link.key,
    source: link.source,
    target: link.target,
    stroke,
    width: widthStep(link.usableRate / rateScale).width,
    forward: stale ? null : half(link.forward),
    back: stale ? null : half(link.back),
    badge: link.incidents,
    halo: link.members.some((member) => changed.links.has(member.id)),
    emphasis: emphasis.links.get(link.key) ?? "normal",
    description: `${link.name}, ${STROKE_LABELS[stroke]}, ${factSpec("link_use", link.carries).label}, ${source} to ${target} ${formatLoad(link.forward)}, back ${formatLoad(link.back)}`,
  };
}

function half(load: MapLoad | null): HalfLoad | null {
  return load && { utilisation: load.utilisation, text: percent(load.utilisation) };
}

/** `12.4 Mb/s (9 %)`. */
export function formatLoad(load: MapLoad | null): string {
  return load ? `${rate(load.bps)} (${percent(load.utilisation)})` : "no current data";
}
