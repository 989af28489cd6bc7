import { describe, expect, test } from "vitest";

import { frameFor } from "./render/frame";
import { layOutScene } from "./layout/frames";
import { PALETTES } from "./render/palette";
import type { Scene, SceneLink } from "./scene";
import { GraphStore, type View } from "./store";
import { argonneScene } from "./testing/scenes";
import { SWITCH_MS } from "./store";

const SIZE = { width: 1100, height: 560 };

function viewOf(scene: Scene, over: Partial<View> = {}): View {
  const layout = layOutScene(
    scene.nodes.map(({ key, label, group, tier, box }) => ({ key, name: label, group, tier, box })),
    scene.links.map(({ source, target }) => [source, target]),
    undefined,
    scene.isLarge,
  );
  return {
    scene,
    layout,
    frame: frameFor(layout, SIZE, scene.nodes, scene.links.length),
    palette: PALETTES.dark,
    scheme: "dark",
    selected: null,
    ...over,
  };
}

const withLink = (scene: Scene, key: string, over: Partial<SceneLink>): Scene => ({
  ...scene,
  links: scene.links.map((link) => (link.key === key ? { ...link, ...over } : link)),
});

function filled(scene: Scene): GraphStore {
  const store = new GraphStore();
  store.apply(viewOf(scene), 0, true);
  return store;
}

describe("the graph store", () => {
  const scene = argonneScene(8);

  test("adds all nodes and links and reports a structural change", () => {
    const store = new GraphStore();
    const changes = store.apply(viewOf(scene), 0, true);
    expect(changes.structure).toBe(true);
    expect([store.graph.order, store.graph.size]).toEqual([14, 15]);
  });

  test("repaints only the link whose load changed and keeps positions", () => {
    const store = filled(scene);
    const view = viewOf(scene);
    store.apply(view, 0, true);
    const before = store.graph.getNodeAttributes("grf1").x;
    const loaded = withLink(scene, "grf1-origin1", { forward: { utilisation: 0.96, text: "96 %" } });
    const colour = store.graph.getEdgeAttribute("grf1-origin1", "forwardColour");
    const changes = store.apply({ ...view, scene: loaded }, 0, true);
    expect(changes.links).toEqual(["grf1-origin1"]);
    expect(changes.nodes).toEqual([]);
    expect(store.graph.getEdgeAttribute("grf1-origin1", "forwardColour")).not.toBe(colour);
    expect(store.graph.getNodeAttributes("grf1").x).toBe(before);
  });

  test("removes missing nodes with their links", () => {
    const store = filled(scene);
    const smaller = {
      ...scene,
      nodes: scene.nodes.filter(({ key }) => key !== "onyx1"),
      links: scene.links.filter(({ target }) => target !== "onyx1"),
    };
    expect(store.apply(viewOf(smaller), 0, true).structure).toBe(true);
    expect(store.graph.hasNode("onyx1")).toBe(false);
    expect(store.graph.hasEdge("grf1-onyx1")).toBe(false);
  });

  test("redraws a link whose ends changed under the same key", () => {
    const store = filled(scene);
    store.apply(viewOf(withLink(scene, "grf1-router", { target: "onyx1" })), 0, true);
    expect(store.graph.target("grf1-router")).toBe("onyx1");
  });

  test("fills a standby line within 400 ms after a switch", () => {
    const standby = withLink(scene, "atmgw-router", { stroke: "standby" });
    const store = filled(standby);
    const solid = (): number => store.graph.getEdgeAttribute("atmgw-router", "solid");
    expect(solid()).toBe(0);
    store.apply(viewOf(scene), 1000, true);
    expect([solid(), store.moving]).toEqual([0, true]);
    expect(store.step(1000 + SWITCH_MS / 4)).toEqual(["atmgw-router"]);
    expect(solid()).toBeGreaterThan(0.2);
    expect(solid()).toBeLessThan(1);
    store.step(1000 + SWITCH_MS);
    expect([solid(), store.moving]).toEqual([1, false]);
  });

  test("reverses the animation when a path switches back midway", () => {
    const standby = withLink(scene, "atmgw-router", { stroke: "standby" });
    const store = filled(standby);
    store.apply(viewOf(scene), 0, true);
    store.step(SWITCH_MS / 2);
    const halfway = store.graph.getEdgeAttribute("atmgw-router", "solid");
    store.apply(viewOf(standby), SWITCH_MS / 2, true);
    expect(store.graph.getEdgeAttribute("atmgw-router", "solid")).toBe(halfway);
    store.step(2 * SWITCH_MS);
    expect(store.graph.getEdgeAttribute("atmgw-router", "solid")).toBe(0);
  });

  test("does not restart the animation when a load arrives", () => {
    const store = filled(withLink(scene, "atmgw-router", { stroke: "standby" }));
    store.apply(viewOf(scene), 0, true);
    store.apply(viewOf(scene), SWITCH_MS / 2, true);
    store.step(SWITCH_MS);
    expect([store.graph.getEdgeAttribute("atmgw-router", "solid"), store.moving]).toEqual([1, false]);
  });

  test("skips the animation if reduced motion is preferred", () => {
    const store = filled(withLink(scene, "atmgw-router", { stroke: "standby" }));
    store.apply(viewOf(scene), 0, false);
    expect([store.graph.getEdgeAttribute("atmgw-router", "solid"), store.moving]).toEqual([1, false]);
  });

  test("shows no load on a link that is down or unknown", () => {
    const store = filled(
      withLink(withLink(scene, "grf1-router", { stroke: "down" }), "grf1-onyx1", { stroke: "unknown" }),
    );
    const { tone, unknownFill } = PALETTES.dark;
    expect(store.graph.getEdgeAttribute("grf1-router", "forwardColour")).toBe(tone.critical);
    expect(store.graph.getEdgeAttribute("grf1-onyx1", "backColour")).toBe(unknownFill);
  });
});
