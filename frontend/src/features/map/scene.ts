/** From what the map draws to a scene: the one crossing from the network's words to those of drawing. Pure. */

import type { Changed } from "./changed";
import type { Drawn, DrawnLink, DrawnLoad, DrawnNode } from "./drawn";
import { CARRIES_LABELS, rules, STROKE_WORDS, TIER_WORDS } from "./rules";
import type { Standing } from "./asked";
import type { HalfLoad, Scene, SceneLink, SceneNode } from "@/ui/graph/scene";
import { widthStep } from "@/ui/graph/width";
import { percent, rate } from "@/util/units";

interface Given {
  readonly drawn: Drawn;
  readonly standing: Standing;
  readonly changed: Changed;
  /** Real rates times this are on the wire; widths show real capacity, so that a lab looks like its site. */
  readonly rateScale: number;
  /** Live data stopped: nothing may look live. */
  readonly stale: boolean;
}

export function makeScene(given: Given): Scene {
  const names = new Map(given.drawn.nodes.map((node) => [node.key, node.name]));
  return {
    nodes: given.drawn.nodes.map((node) => sceneNode(node, given)),
    links: given.drawn.links.map((link) => sceneLink(link, given, names)),
    tiers: TIER_WORDS,
  };
}

function sceneNode(node: DrawnNode, { standing, changed, stale }: Given): SceneNode {
  const tone = stale ? "unknown" : node.state;
  const incidents = node.incidents > 0 ? `, ${node.incidents} incidents` : "";
  return {
    key: node.key,
    label: node.name,
    glyph: rules.glyph(node),
    tone,
    tier: node.tier,
    group: node.role,
    badge: node.incidents,
    halo: node.kind !== "fabric" && node.members.some((member) => changed.nodes.has(member.id)),
    emphasis: standing.nodes.get(node.key) ?? "normal",
    description: `${node.name}, ${node.kind}, ${tone}, ${stale ? "live data stopped" : node.stateText}${incidents}`,
  };
}

function sceneLink(link: DrawnLink, given: Given, names: ReadonlyMap<string, string>): SceneLink {
  const { standing, changed, rateScale, stale } = given;
  const stroke = stale ? "unknown" : (standing.strokes.get(link.key) ?? rules.stroke(link));
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
    emphasis: standing.links.get(link.key) ?? "normal",
    description: `${link.name}, ${STROKE_WORDS[stroke]}, ${CARRIES_LABELS[link.carries]}, ${source} to ${target} ${words(link.forward)}, back ${words(link.back)}`,
  };
}

function half(load: DrawnLoad | null): HalfLoad | null {
  return load && { utilisation: load.utilisation, text: percent(load.utilisation) };
}

/** A load in words: `12.4 Mb/s (9 %)`. */
export function words(load: DrawnLoad | null): string {
  return load ? `${rate(load.bps)} (${percent(load.utilisation)})` : "no fresh figure";
}
