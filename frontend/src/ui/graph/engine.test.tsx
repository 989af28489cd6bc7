/** The renderer at rest: how often it asks sigma for a frame, on a sigma that only counts. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { layOutScene } from "./layout/frames";
import { PALETTES } from "./render/palette";
import { frameFor } from "./render/frame";
import type { Scene, SceneLink } from "./scene";
import { SWITCH_MS, type View } from "./store";
import { argonneScene } from "./testing/scenes";

const counts = vi.hoisted(() => ({ refreshed: 0, scheduled: 0 }));

vi.mock("./programs/linkDetail", () => ({ createDetailedLinkProgram: () => undefined }));
vi.mock("./programs/nodeProgram", () => ({ createNodeProgram: () => undefined }));
vi.mock("sigma", () => {
  const emitter = { on: () => undefined, removeAllListeners: () => undefined };
  const camera = { ...emitter, getState: () => ({ x: 0.5, y: 0.5, ratio: 1 }), setState: () => undefined };
  class CountingSigma {
    private afterRender: () => void = () => undefined;
    createCanvasContext = () => undefined;
    createCanvas = () => document.createElement("canvas");
    getCanvases = () => ({});
    resize = () => undefined;
    setCustomBBox = () => undefined;
    getCamera = () => camera;
    getMouseCaptor = () => emitter;
    getTouchCaptor = () => emitter;
    getDimensions = () => ({ width: 1100, height: 560 });
    getNodeDisplayData = () => undefined;
    kill = () => undefined;
    on(event: string, listener: () => void): void {
      if (event === "afterRender") this.afterRender = listener;
    }
    refresh(): void {
      counts.refreshed += 1;
      this.afterRender();
    }
    scheduleRender(): void {
      counts.scheduled += 1;
    }
  }
  return { Sigma: CountingSigma };
});

const SIZE = { width: 1100, height: 560 };

function viewOf(scene: Scene): View {
  const layout = layOutScene(
    scene.nodes.map(({ key, label, group, tier, box }) => ({ key, name: label, group, tier, box })),
    scene.links.map(({ source, target }) => [source, target]),
    undefined,
    scene.isLarge,
  );
  const frame = frameFor(layout, SIZE, scene.nodes, scene.links.length);
  return { scene, layout, frame, palette: PALETTES.dark, scheme: "dark", selected: null };
}

const withLink = (scene: Scene, key: string, over: Partial<SceneLink>): Scene => ({
  ...scene,
  links: scene.links.map((link) => (link.key === key ? { ...link, ...over } : link)),
});

describe("the renderer", () => {
  const scene = argonneScene(8);
  const view = viewOf(scene);
  const frames = vi.fn<typeof requestAnimationFrame>(() => 1);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    vi.stubGlobal("requestAnimationFrame", frames);
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  async function started() {
    const { GraphEngine } = await import("./engine");
    const nothing = () => undefined;
    const messages = {
      onHover: nothing,
      onClick: nothing,
      onOpen: nothing,
      onCamera: nothing,
      onLabels: nothing,
    };
    const engine = new GraphEngine(document.createElement("div"), view, messages, true);
    Object.assign(counts, { refreshed: 0, scheduled: 0 });
    frames.mockClear();
    return engine;
  }
  const drawn = () => counts.refreshed + counts.scheduled + frames.mock.calls.length;

  test("has no timer and asks for no frame at rest", async () => {
    await started();
    vi.advanceTimersByTime(600_000);
    expect([drawn(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  test("asks for no frame when a message changes nothing that is drawn", async () => {
    const engine = await started();
    engine.show({ ...view, scene: { ...scene, links: [...scene.links] } }, 0);
    const { forward } = scene.links[0] as SceneLink;
    const same = { utilisation: (forward?.utilisation ?? 0) + 0.001, text: "another text" };
    engine.show({ ...view, scene: withLink(scene, scene.links[0]?.key ?? "", { forward: same }) }, 0);
    expect(drawn()).toBe(0);
  });

  test.each([
    ["another load class", { forward: { utilisation: 0.6, text: "60 %" } }],
    ["an incident", { badge: 1 }],
    ["no carrier", { stroke: "down" }],
  ] as const)("draws once for %s", async (_name, over) => {
    const engine = await started();
    engine.show({ ...view, scene: withLink(scene, scene.links[0]?.key ?? "", over) }, 0);
    expect(drawn()).toBe(1);
  });

  test("draws the utilisation of a selected link again when its text changes", async () => {
    const engine = await started();
    const [key, forward] = [scene.links[0]?.key ?? "", { utilisation: 0.11, text: "11 %" }];
    engine.show({ ...view, selected: key }, 0);
    const before = drawn();
    engine.show({ ...view, selected: key, scene: withLink(scene, key, { forward }) }, 0);
    expect(drawn() - before).toBe(1);
  });

  test("asks for frames only as long as a switch is animated", async () => {
    const engine = await started();
    engine.show({ ...view, scene: withLink(scene, scene.links[0]?.key ?? "", { stroke: "standby" }) }, 0);
    const step = frames.mock.calls.at(-1)?.[0];
    frames.mockClear();
    step?.(SWITCH_MS / 2);
    expect(frames).toHaveBeenCalledTimes(1);
    step?.(SWITCH_MS);
    expect(frames).toHaveBeenCalledTimes(1);
  });
});
