/** Node labels without overlaps. */

import { type LabelRequest, type PlacedLabel, placeLabels, type Side } from "./labelPlacement";
import type { SceneNode } from "../scene";
import { type OverlayView, reach, type ScreenNode } from "../screen";
import { drawSprite } from "./textSprites";

const NAMED_FROM_RADIUS = 4.2;
const MOST_LABELS = 400;

/** Draws the labels that have room and returns their boxes. */
export function drawNames(context: CanvasRenderingContext2D, view: OverlayView): PlacedLabel[] {
  const style = { font: `500 12.5px ${view.font}`, colour: view.palette.text, halo: view.palette.surface };
  const tiers = view.scene.nodes.map((node) => node.tier);
  const [first, last] = [Math.min(...tiers), Math.max(...tiers)];
  const request = ({ node, radius, x, y }: ScreenNode): LabelRequest => ({
    key: node.key,
    x,
    y,
    ...reachWithSign(node, radius),
    width: view.sprites.width(node.label, style, context),
    sides: sidesOf(node.tier, first, last),
  });
  const named = view.nodes
    .filter(({ node, radius }) => radius >= NAMED_FROM_RADIUS || view.marked.has(node.key))
    .toSorted((a, b) => rank(a.node, view) - rank(b.node, view))
    .slice(0, MOST_LABELS);
  const labels = placeLabels(named.map(request), view.nodes.map(body));
  const byKey = new Map(named.map((screen) => [screen.node.key, screen.node]));
  for (const label of labels) {
    const node = byKey.get(label.key);
    if (!node) continue;
    context.globalAlpha = node.emphasis === "dim" && !view.marked.has(node.key) ? 0.3 : 1;
    drawSprite(context, view.sprites.get(node.label, style, label.right - label.left), label.left, label.top);
  }
  return labels;
}

/** `reach` plus room for the state badge below. */
function reachWithSign(node: SceneNode, radius: number): { reachX: number; reachY: number } {
  const { reachX, reachY } = reach(node.glyph, radius);
  return { reachX: reachX + (node.tone === "ok" ? 0 : 3), reachY: reachY + (node.tone === "ok" ? 0 : 5) };
}

const body = ({ node, radius, x, y }: ScreenNode): LabelRequest => ({
  key: node.key,
  x,
  y,
  ...reach(node.glyph, radius),
  width: 0,
  sides: [],
});

function sidesOf(tier: number, first: number, last: number): Side[] {
  if (tier === first && first !== last) return ["left", "right", "below", "above"];
  if (tier === last && first !== last) return ["right", "left", "below", "above"];
  return ["below", "above", "right", "left"];
}

/** Label priority: marked, unhealthy, gateways and fabrics, hosts. */
function rank(node: SceneNode, { marked }: OverlayView): number {
  if (marked.has(node.key)) return 0;
  if (node.emphasis === "dim") return 5;
  if (node.emphasis === "strong" || node.badge > 0) return 1;
  return node.glyph === "host" ? 4 : 2;
}
