/**
 * The interactive renderer: owns sigma, its programs and the overlay; reports pointer and camera events as values.
 *
 * Only this file, the store and the two programs depend on sigma.
 */

import { Sigma } from "sigma";

import { hitBody, hitSegment, type Point } from "./interaction/hit";
import type { PlacedLabel } from "./render/labelPlacement";
import { drawOverlay } from "./render/overlay";
import type { Palette } from "./render/palette";
import { listenToPointer } from "./interaction/pointer";
import { createDetailedLinkProgram, type Detail } from "./programs/linkDetail";
import { createNodeProgram } from "./programs/nodeProgram";
import type { Hit } from "./scene";
import { mayCross, reach, type ScreenBox, screenLink, type ScreenLink, type ScreenNode } from "./screen";
import { toGraph } from "./render/frame";
import { wantsFigure } from "./render/loadLabels";
import type { Box } from "./layout/frames";
import { isSoftware, StandIn } from "./render/fallbackPainter";
import { TextSprites } from "./render/textSprites";
import { type Changes, GraphStore, type LinkAttributes, type NodeAttributes, type View } from "./store";

/** The visible part: centre as fractions of the graph, and ratio (1 = all, 0.5 = half the width). */
export interface CameraView {
  readonly x: number;
  readonly y: number;
  readonly ratio: number;
}

export const WHOLE: CameraView = { x: 0.5, y: 0.5, ratio: 1 };

interface EngineMessages {
  readonly onHover: (hit: Hit | null, at: Point) => void;
  readonly onClick: (hit: Hit | null) => void;
  readonly onOpen: (hit: Hit) => void;
  readonly onCamera: (view: CameraView) => void;
  readonly onLabels: (labels: readonly PlacedLabel[]) => void;
}

const CAMERA_QUIET_MS = 250;
const OVERLAY = "overlay";
/** Part of the drawing area that a revealed group takes, and from which on it is left as it is. */
const REVEALED = 0.8;
const LARGE_ENOUGH = 0.4;
/** A large network shows the utilisation of all visible links from this ratio on. */
const NEAR_RATIO = 0.2;
/** Room of a line for its halo and signs, CSS px. */
const LINE_MARGIN = 40;
/** Width of a 10 G line, px; see `width.ts`. */
const TYPICAL_WIDTH = 8;
/** Lines thinner than this, CSS px, are drawn plain. */
const DETAIL_FROM_PX = 2;
/** Unused layers of sigma; each would be composited at every frame. */
const UNUSED_LAYERS = ["edgeLabels", "labels", "hovers", "hoverNodes"] as const;

export class GraphEngine {
  private readonly store = new GraphStore();
  private readonly sprites = new TextSprites();
  private readonly standIn: StandIn;
  private readonly sigma: Sigma<NodeAttributes, LinkAttributes>;
  private view: View;
  private hovered: string | null = null;
  private focused: string | null = null;
  private killed = false;
  private indexed = false;
  private stepping = 0;
  private cameraTimer = 0;
  private readonly font: string;

  constructor(
    private readonly container: HTMLElement,
    view: View,
    private readonly messages: EngineMessages,
    private readonly motion: boolean,
  ) {
    this.view = view;
    this.font = getComputedStyle(container).fontFamily;
    this.store.apply(view, 0, false);
    this.sigma = this.start();
    this.sigma.createCanvasContext(OVERLAY, { style: { pointerEvents: "none" } });
    this.hideUnused();
    this.standIn = new StandIn(
      this.sigma.createCanvas("standIn", { beforeLayer: "edges" }),
      isSoftware(this.sigma.getCanvases()["edges"]),
    );
    this.sigma.resize(true);
    this.frame(view);
    this.listen();
    this.sigma.refresh();
    if (document.fonts.status === "loading") this.redrawWithFont();
  }

  /** Labels drawn before the page's font was loaded use another one. */
  private redrawWithFont(): void {
    void document.fonts.ready.then(() => {
      this.sprites.clear();
      if (!this.killed) this.sigma.scheduleRender();
    });
  }

  /** Shows a view; repaints only the differences, and nothing if there are none. */
  show(view: View, now: number): void {
    const changes = this.store.apply(view, now, this.motion);
    const before = this.view;
    const reframed = view.frame !== before.frame || view.layout !== before.layout;
    this.view = view;
    if (reframed) this.frame(view);
    if (changes.structure || reframed) this.indexed = false;
    const isMarked = view.selected !== before.selected || view.palette !== before.palette;
    if (reframed || isMarked || this.isVisible(changes)) this.repaint(changes.nodes, changes.links);
    if (this.store.moving && this.stepping === 0) this.stepping = requestAnimationFrame(this.step);
  }

  /** Whether a frame would differ. */
  private isVisible({ structure, nodes, links, overlay, texts }: Changes): boolean {
    return structure || overlay || nodes.length + links.length > 0 || texts.some(this.isFigureDrawn);
  }

  private readonly isFigureDrawn = (key: string): boolean => {
    const { link } = this.store.graph.getEdgeAttributes(key);
    const isMarked = this.marked().has(key);
    const isNear = this.isNear();
    const wants = [link.forward, link.back].some(
      (load) => load !== null && wantsFigure(link, load, isMarked, isNear),
    );
    const [from, to] = [this.place(link.source), this.place(link.target)];
    return wants && (!from || !to || mayCross(from, to, this.sigma.getDimensions(), LINE_MARGIN));
  };

  private isNear(): boolean {
    return this.view.scene.isLarge && this.camera().ratio <= NEAR_RATIO;
  }

  private marked(): Set<string> {
    return new Set([this.view.selected, this.hovered, this.focused].filter((key) => key !== null));
  }

  /** Moves the camera to the frame of an open group, unless it is large enough already. */
  reveal(key: string): void {
    const box = this.view.layout.boxes.get(key);
    if (!box) return;
    const { left, top, width, height } = this.screenBox(box);
    const view = this.sigma.getDimensions();
    const share = Math.max(width / view.width, height / view.height);
    const isInside = left >= 0 && top >= 0 && left + width <= view.width && top + height <= view.height;
    if (isInside && share >= LARGE_ENOUGH) return;
    const { x, y } = this.sigma.viewportToFramedGraph({ x: left + width / 2, y: top + height / 2 });
    this.move({ x, y, ratio: (this.camera().ratio * share) / REVEALED });
  }

  /** Marks the focused node and scrolls it into view. */
  focus(key: string | null): void {
    this.focused = key;
    const at = key === null ? null : this.place(key);
    const { width, height } = this.sigma.getDimensions();
    if (at && (at.x < 0 || at.y < 0 || at.x > width || at.y > height)) {
      const { x, y } = this.sigma.viewportToFramedGraph(at);
      this.move({ ...this.camera(), x, y });
    }
    this.sigma.scheduleRender();
  }

  camera(): CameraView {
    const { x, y, ratio } = this.sigma.getCamera().getState();
    return { x, y, ratio };
  }

  /** Moves the camera, animated unless the user prefers reduced motion. */
  move(view: CameraView): void {
    const bounded = { ...view, ratio: this.sigma.getCamera().getBoundedRatio(view.ratio) };
    if (this.motion) void this.sigma.getCamera().animate(bounded, { duration: 150 });
    else this.sigma.getCamera().setState(bounded);
  }

  /** Restores the camera without animation. */
  jump(view: CameraView): void {
    this.sigma.getCamera().setState({ ...view });
  }

  kill(): void {
    this.killed = true;
    cancelAnimationFrame(this.stepping);
    clearTimeout(this.cameraTimer);
    window.removeEventListener("resize", this.unindex);
    this.sigma.kill();
  }

  /** Repaints some items at the next frame, or all while sigma has not indexed a changed structure. */
  private repaint(nodes: readonly string[], links: readonly string[]): void {
    if (!this.indexed) this.sigma.refresh({ schedule: true });
    else
      this.sigma.refresh({
        partialGraph: { nodes: [...nodes], edges: [...links] },
        skipIndexation: true,
        schedule: true,
      });
  }

  private start(): Sigma<NodeAttributes, LinkAttributes> {
    const colours = (): Palette => this.view.palette;
    return new Sigma<NodeAttributes, LinkAttributes>(this.store.graph, this.container, {
      defaultNodeType: "glyph",
      defaultEdgeType: "load",
      nodeProgramClasses: { glyph: createNodeProgram(colours) },
      edgeProgramClasses: { load: createDetailedLinkProgram(colours, this.detail) },
      // The overlay draws labels; sigma's support neither sides nor overlaps.
      renderLabels: false,
      renderEdgeLabels: false,
      defaultDrawNodeHover: () => undefined,
      zIndex: true,
      stagePadding: 0,
      minCameraRatio: 0.02,
      maxCameraRatio: 1.6,
      allowInvalidContainer: true,
      ...(this.motion ? {} : { inertiaDuration: 0, zoomDuration: 0, doubleClickZoomingDuration: 0 }),
    });
  }

  private hideUnused(): void {
    const layers = this.sigma.getCanvases();
    for (const name of UNUSED_LAYERS) if (layers[name]) layers[name].style.display = "none";
    // The mouse layer is not drawn on either, but receives the events.
    if (layers["mouse"]) layers["mouse"].style.opacity = "0";
  }

  /** The drawing area is the bounding box: one graph unit is one CSS px at ratio 1. */
  private frame({ frame }: View): void {
    this.sigma.setCustomBBox({ x: [0, frame.width], y: [0, frame.height] });
  }

  private listen(): void {
    this.sigma.on("afterRender", this.overlay);
    window.addEventListener("resize", this.unindex);
    listenToPointer(this.sigma, {
      onMove: (at) => this.hover(at && this.hitAt(at), at ?? { x: 0, y: 0 }),
      onClick: (at) => this.messages.onClick(this.hitAt(at)),
      onOpen: (at) => {
        const hit = this.hitAt(at);
        if (hit) this.messages.onOpen(hit);
        return hit !== null;
      },
    });
    this.sigma.getCamera().on("updated", () => {
      this.standIn.setMoving(true, this.view.scene.links.length);
      clearTimeout(this.cameraTimer);
      this.cameraTimer = window.setTimeout(this.rest, CAMERA_QUIET_MS);
    });
  }

  private readonly detail = (sizeRatio: number): Detail => {
    if (this.standIn?.active === true) return "none";
    return (TYPICAL_WIDTH * this.view.frame.lineScale) / sizeRatio >= DETAIL_FROM_PX ? "full" : "plain";
  };

  /** After a window resize sigma has no indices until its next frame. */
  private readonly unindex = (): void => {
    this.indexed = false;
  };

  private readonly rest = (): void => {
    if (this.standIn.setMoving(false, 0)) this.sigma.scheduleRender();
    this.messages.onCamera(this.camera());
  };

  private hover(hit: Hit | null, at: Point): void {
    const changed = this.hovered !== (hit?.key ?? null);
    this.hovered = hit?.key ?? null;
    this.container.style.cursor = hit ? "pointer" : "";
    if (hit || changed) this.messages.onHover(hit, at);
    if (changed) this.sigma.scheduleRender();
  }

  private hitAt(point: Point): Hit | null {
    const bodies = this.screenNodes().map(({ node, x, y, radius }) => ({
      key: node.key,
      x,
      y,
      ...reach(node.glyph, radius),
    }));
    const key = hitBody(point, bodies);
    if (key !== null) return { type: "node", key };
    const segments = this.screenLinks().map(({ link, from, to, width }) => ({
      key: link.key,
      from,
      to,
      halfWidth: width / 2,
    }));
    const hit = hitSegment(point, segments);
    return hit && { type: "link", ...hit };
  }

  private place(key: string): Point | null {
    const data = this.sigma.getNodeDisplayData(key);
    return data ? this.sigma.framedGraphToViewport(data) : null;
  }

  private screenBox({ x, y, width, height }: Box): Omit<ScreenBox, "tone"> {
    const corner = (dx: number, dy: number): Point =>
      this.sigma.graphToViewport(toGraph({ x: x + dx * width, y: y + dy * height }, this.view.frame));
    const [start, end] = [corner(-0.5, -0.5), corner(0.5, 0.5)];
    return { left: start.x, top: start.y, width: end.x - start.x, height: end.y - start.y };
  }

  private screenBoxes(): ScreenBox[] {
    return [...this.view.layout.boxes].map(([key, box]) => ({
      ...this.screenBox(box),
      tone: this.store.graph.getNodeAttribute(key, "node").tone,
    }));
  }

  private screenNodes(): ScreenNode[] {
    const { width, height } = this.sigma.getDimensions();
    const margin = 80;
    return this.view.scene.nodes.flatMap((node) => {
      const at = this.place(node.key);
      if (!at || at.x < -margin || at.y < -margin || at.x > width + margin || at.y > height + margin)
        return [];
      return [
        { ...at, node, radius: this.sigma.scaleSize(this.store.graph.getNodeAttribute(node.key, "size")) },
      ];
    });
  }

  private screenLinks(): ScreenLink[] {
    const zoom = this.sigma.scaleSize(1);
    const area = this.sigma.getDimensions();
    const places = new Map(this.view.scene.nodes.map((node) => [node.key, this.place(node.key)]));
    return this.view.scene.links.flatMap((link) => {
      const [from, to] = [places.get(link.source), places.get(link.target)];
      if (!from || !to || !mayCross(from, to, area, LINE_MARGIN) || !this.store.graph.hasEdge(link.key))
        return [];
      const { size, shift } = this.store.graph.getEdgeAttributes(link.key);
      return [screenLink(link, from, to, Math.max(1.2, size * zoom), shift * zoom)];
    });
  }

  private readonly overlay = (): void => {
    this.indexed = true;
    const context = this.sigma.getCanvases()[OVERLAY]?.getContext("2d");
    if (!context) return;
    const { scene, layout, frame, palette } = this.view;
    const links = this.screenLinks();
    if (this.standIn.active) {
      const looked = links.map((screen) => ({
        screen,
        look: this.store.graph.getEdgeAttributes(screen.link.key),
      }));
      this.standIn.draw(looked, palette, this.sigma.getDimensions());
    }
    const headings = [...layout.tierX].map(([tier, x]) => ({
      text: scene.tiers[tier] ?? "",
      x: this.sigma.graphToViewport({ x: frame.left + x * (frame.width - frame.left - frame.right), y: 0 }).x,
    }));
    const labels = drawOverlay(context, {
      scene,
      nodes: this.screenNodes(),
      links,
      boxes: this.screenBoxes(),
      headings,
      palette,
      font: this.font,
      sprites: this.sprites,
      marked: this.marked(),
      isNear: this.isNear(),
      focused: this.focused,
      ...this.sigma.getDimensions(),
    });
    this.messages.onLabels(labels);
  };

  private readonly step = (now: number): void => {
    const edges = this.store.step(now);
    if (edges.length > 0) this.repaint([], edges);
    this.stepping = this.store.moving ? requestAnimationFrame(this.step) : 0;
  };
}

/** Whether this browser supports WebGL. */
export function hasWebGl(): boolean {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}
