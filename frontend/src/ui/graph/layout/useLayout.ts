/** The layout of a scene, computed only when nodes or links come or go: new load never moves anything. */

import { useEffect, useMemo } from "react";

import { type Layout, type LayoutNode, layOut, type Place } from "./layout";
import type { Pair } from "./order";
import type { Scene } from "../scene";

/** Where a picture's places are kept between visits. */
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

/** All that a layout depends on, as text: equal texts have equal layouts, however often the scene object is renewed. */
function shapeOf(scene: Scene): string {
  const nodes = scene.nodes.map(({ key, label, group, tier }) => ({ key, name: label, group, tier }));
  return JSON.stringify({ nodes, pairs: pairsOf(scene) } satisfies Shape);
}

/** The scene's layout; places are taken from and kept in the memory, if there is one. */
export function useLayout(scene: Scene, memory?: PlaceMemory): Layout {
  const shape = shapeOf(scene);
  const layout = useMemo(() => {
    const { nodes, pairs } = JSON.parse(shape) as Shape;
    return layOut(nodes, pairs, memory?.load());
  }, [shape, memory]);
  useEffect(() => memory?.save(layout.places), [layout, memory]);
  return layout;
}
