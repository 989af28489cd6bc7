/** The layout of a scene, recomputed only when nodes or links change: load never moves nodes. */

import { useEffect, useMemo } from "react";

import { type Layout, type LayoutNode, layOut, type Place } from "./layout";
import type { Pair } from "./order";
import type { Scene } from "../scene";

/** Storage of positions between visits. */
export interface PlaceMemory {
  load(): ReadonlyMap<string, Place> | undefined;
  save(places: ReadonlyMap<string, Place>): void;
}

interface Shape {
  readonly nodes: readonly LayoutNode[];
  readonly pairs: readonly Pair[];
}

export function pairsOf(scene: Scene): Pair[] {
  return scene.links.map((link) => [link.source, link.target]);
}

/** Key of everything that a layout depends on. */
function shapeOf(scene: Scene): string {
  const nodes = scene.nodes.map(({ key, label, group, tier }) => ({ key, name: label, group, tier }));
  return JSON.stringify({ nodes, pairs: pairsOf(scene) } satisfies Shape);
}

/** The scene's layout; reads and stores positions in the memory, if any. */
export function useLayout(scene: Scene, memory?: PlaceMemory): Layout {
  const shape = shapeOf(scene);
  const layout = useMemo(() => {
    const { nodes, pairs } = JSON.parse(shape) as Shape;
    return layOut(nodes, pairs, memory?.load());
  }, [shape, memory]);
  useEffect(() => memory?.save(layout.places), [layout, memory]);
  return layout;
}
