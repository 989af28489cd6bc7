/** The layout of a scene, computed only when nodes or links come or go: new load never moves anything. */

import { useEffect, useMemo, useRef } from "react";

import { layOut, type Layout, type Place } from "./layout";
import type { Pair } from "./order";
import type { Scene } from "./scene";

export interface PlaceMemory {
  load(): ReadonlyMap<string, Place> | undefined;
  save(places: ReadonlyMap<string, Place>): void;
}

/** Every fact the layout depends on; equal shapes have equal layouts. */
function shapeOf(scene: Scene): string {
  const nodes = scene.nodes.map((node) => `${node.key} ${node.tier} ${node.group} ${node.label}`);
  return [...nodes, ...scene.links.map((link) => `${link.source} ${link.target}`)].join("\n");
}

export function pairsOf(scene: Scene): Pair[] {
  return scene.links.map((link) => [link.source, link.target]);
}

/** Lays a scene out without memory. */
export function layOutScene(scene: Scene, earlier?: ReadonlyMap<string, Place>): Layout {
  const nodes = scene.nodes.map(({ key, label, group, tier }) => ({ key, name: label, group, tier }));
  return layOut(nodes, pairsOf(scene), earlier);
}

/** The scene's layout; places are taken from and kept in the memory, if there is one. */
export function useLayout(scene: Scene, memory?: PlaceMemory): Layout {
  const latest = useRef(scene);
  latest.current = scene;
  const shape = shapeOf(scene);
  const layout = useMemo(() => {
    // Keyed by the shape alone: the scene object itself is new with every load.
    void shape;
    return layOutScene(latest.current, memory?.load());
  }, [shape, memory]);
  useEffect(() => memory?.save(layout.places), [layout, memory]);
  return layout;
}
