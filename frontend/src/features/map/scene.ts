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

/** Unchanged items of the scene `before` are reused, and all of it if nothing changed: then nothing is drawn. */
export function makeScene(given: SceneInput, before?: Scene): Scene {
  const nodes = reuse(
    given.model.nodes.map((node) => sceneNode(node, given)),
    before?.nodes,
  );
  const links = reuse(
    given.model.links.map((link) => sceneLink(link, given)),
    before?.links,
  );
  const isLarge = given.model.inPlace;
  if (before && nodes === before.nodes && links === before.links && before.isLarge === isLarge) return before;
  return { nodes, links, tiers: TIER_LABELS, isLarge };
}

/** A builder that reuses what its previous scene has in common with the next. */
export function sceneBuilder(): (given: SceneInput) => Scene {
  let last: Scene | undefined;
  return (given) => (last = makeScene(given, last));
}

/** The new items, each replaced by the equal old one of its key; the old list if all are equal and in order. */
function reuse<T extends { readonly key: string }>(
  items: readonly T[],
  old: readonly T[] = [],
): readonly T[] {
  const byKey = new Map(old.map((item) => [item.key, item]));
  const kept = items.map((item) => {
    const known = byKey.get(item.key);
    return known !== undefined && isEqual(known, item) ? known : item;
  });
  return kept.length === old.length && kept.every((item, index) => item === old[index]) ? old : kept;
}

/** Whether two values of the scene are equal, including the load of each half. */
function isEqual<T extends object>(one: T, other: T): boolean {
  return (Object.keys(one) as (keyof T)[]).every((name) => {
    const [a, b] = [one[name], other[name]];
    return a === b || (isObject(a) && isObject(b) && isEqual(a, b));
  });
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function sceneNode(node: MapNode, { model, emphasis, changed, stale }: SceneInput): SceneNode {
  const tone = stale ? "unknown" : node.state;
  const isOpen = node.kind === "group" && node.box === node.key;
  const fold = node.kind === "group" && model.inPlace ? (isOpen ? ", open" : ", closed") : "";
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
    halo:
      (changed.nodes.size > 0 &&
        node.members.some((member) => member.kind !== "fabric" && changed.nodes.has(member.id))) ||
      (changed.links.size > 0 && node.inner.some((link) => changed.links.has(link.id))),
    emphasis: emphasis.nodes.get(node.key) ?? "normal",
    box: node.box,
    description: `${node.name}, ${node.kind}${fold}, ${tone}, ${stale ? "no live data" : node.stateText}${gateway}${incidents}`,
  };
}

function sceneLink(link: MapLink, given: SceneInput): SceneLink {
  const { model, emphasis, changed, rateScale, stale } = given;
  const stroke = stale ? "unknown" : (emphasis.strokes.get(link.key) ?? rules.stroke(link));
  const [source, target] = [link.source, link.target].map((key) => model.nodeOf.get(key)?.name ?? key);
  return {
    key: link.key,
    source: link.source,
    target: link.target,
    stroke,
    width: widthStep(link.usableRate / rateScale).width,
    forward: stale ? null : half(link.forward),
    back: stale ? null : half(link.back),
    badge: link.incidents,
    halo: changed.links.size > 0 && link.members.some((member) => changed.links.has(member.id)),
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
