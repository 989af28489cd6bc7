/** The layout of a scene, recomputed only when nodes or links change: load never moves nodes. */

import { useEffect, useMemo } from "react";

import { type BoxedNode, layOutScene, type SceneLayout } from "./frames";
import type { Place } from "./layout";
import type { Pair } from "./order";
import type { Scene } from "../scene";

/** Storage of positions between visits. */
export interface PlaceMemory {
  load(): ReadonlyMap<string, Place> | undefined;
  save(places: ReadonlyMap<string, Place>): void;
}

interface Shape {
  readonly nodes: readonly BoxedNode[];
  readonly pairs: readonly Pair[];
  readonly isLarge: boolean;
}

export function pairsOf(scene: Pick<Scene, "links">): Pair[] {
  return scene.links.map((link) => [link.source, link.target]);
}

/** Key of everything that a layout depends on. */
function shapeOf(scene: Pick<Scene, "nodes" | "links" | "isLarge">): string {
  const nodes = scene.nodes.map(({ key, label, group, tier, box }) => ({
    key,
    name: label,
    group,
    tier,
    box,
  }));
  return JSON.stringify({ nodes, pairs: pairsOf(scene), isLarge: scene.isLarge } satisfies Shape);
}

/** The scene's layout; reads and stores positions in the memory, if any. */
export function useLayout({ nodes, links, isLarge }: Scene, memory?: PlaceMemory): SceneLayout {
  const shape = useMemo(() => shapeOf({ nodes, links, isLarge }), [nodes, links, isLarge]);
  const layout = useMemo(() => {
    const known = JSON.parse(shape) as Shape;
    return layOutScene(known.nodes, known.pairs, memory?.load(), known.isLarge);
  }, [shape, memory]);
  useEffect(() => memory?.save(layout.columnPlaces), [layout, memory]);
  return layout;
}
