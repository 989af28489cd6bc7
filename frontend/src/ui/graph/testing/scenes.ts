/** Small networks for the tests of drawing. */

import type { LayoutNode } from "../layout/layout";
import type { Pair } from "../layout/order";
import type { Scene, SceneLink, SceneNode } from "../scene";

export function sceneNode(key: string, tier: number, over: Partial<SceneNode> = {}): SceneNode {
  return {
    key,
    label: key,
    glyph: "host",
    tone: "ok",
    tier,
    group: "compute",
    badge: 0,
    halo: false,
    emphasis: "normal",
    box: null,
    description: key,
    ...over,
  };
}

export function sceneLink(
  key: string,
  source: string,
  target: string,
  over: Partial<SceneLink> = {},
): SceneLink {
  return {
    key,
    source,
    target,
    stroke: "active",
    width: 5.5,
    badge: 0,
    halo: false,
    emphasis: "normal",
    description: key,
    forward: { utilisation: 0.1, text: "10 %" },
    back: { utilisation: 0.3, text: "30 %" },
    ...over,
  };
}

/** The Argonne complex: so many SP nodes, a switch, two gateways, two hosts and the division router. */
export function argonne(spNodes: number): { nodes: LayoutNode[]; pairs: Pair[] } {
  const node = (name: string, tier: number, group: string): LayoutNode => ({ key: name, name, tier, group });
  const sp = Array.from({ length: spNodes }, (_, index) => `sp${String(index + 1).padStart(2, "0")}`);
  return {
    nodes: [
      ...sp.map((name) => node(name, 0, "compute")),
      node("css", 1, "sp_switch"),
      node("grf1", 2, "gateway"),
      node("atmgw", 2, "gateway"),
      node("onyx1", 3, "server"),
      node("origin1", 3, "server"),
      node("router", 3, "router"),
    ],
    pairs: [
      ...sp.map((name): Pair => [name, "css"]),
      ["grf1", "css"],
      ["atmgw", "css"],
      ["grf1", "onyx1"],
      ["grf1", "origin1"],
      ["grf1", "router"],
      ["atmgw", "router"],
      ["origin1", "router"],
    ],
  };
}

/** The same network as a scene. */
export function argonneScene(spNodes: number): Scene {
  const { nodes, pairs } = argonne(spNodes);
  return {
    nodes: nodes.map(({ key, tier, group }) => sceneNode(key, tier, { group })),
    links: pairs.map(([source, target]) => sceneLink(`${source}-${target}`, source, target)),
    tiers: { 0: "Cluster", 1: "Fabrics", 2: "Gateways", 3: "Outside" },
    isLarge: false,
  };
}
