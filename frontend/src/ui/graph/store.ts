/**
 * Graph store on graphology: takes scenes, keeps the drawing attributes and returns the differences, so that a new load
 * repaints only its own line.
 */
import { MultiDirectedGraph } from "graphology";
import type { Scheme } from "../ramp";
import { toGraph, type Frame } from "./render/frame";
import type { SceneLayout } from "./layout/frames";
import { linkStyle, nodeStyle } from "./render/styles";
import type { Palette } from "./render/palette";
import { sideways } from "./layout/parallels";
import type { LinkLook } from "./programs/linkProgram";
import { STROKE_CODE } from "./programs/linkShader";
import type { NodeLook } from "./programs/nodeProgram";
import { GLYPH_CODE } from "./programs/nodeShader";
import type { Scene, SceneLink, SceneNode } from "./scene";

export interface View {
  readonly scene: Scene;
  readonly layout: SceneLayout;
  readonly frame: Frame;
  readonly palette: Palette;
  readonly scheme: Scheme;
  readonly selected: string | null;
}

export interface NodeAttributes extends NodeLook {
  label: string;
  zIndex: number;
  node: SceneNode;
}

export interface LinkAttributes extends LinkLook {
  zIndex: number;
  link: SceneLink;
}

export interface Changes {
  /** Items were added, removed or moved: rebuild the index. */
  readonly structure: boolean;
  /** Items with another look: draw them again. */
  readonly nodes: readonly string[];
  readonly links: readonly string[];
  /** Texts or marks above the network differ. */
  readonly overlay: boolean;
  /** Links whose utilisation text differs; it is drawn for some of them. */
  readonly texts: readonly string[];
}

export class GraphStore {
  readonly graph = new MultiDirectedGraph<NodeAttributes, LinkAttributes>({ allowSelfLoops: false });
  private readonly transitions = new Map<string, Transition>();

  /**
   * Updates the graph to the view and returns the differences. Paths that switched sides start their transition at `now`
   * (milliseconds); with `motion` false they jump.
   */
  apply(view: View, now: number, motion: boolean): Changes {
    const removed = this.drop(view.scene);
    const nodes = view.scene.nodes.map((node) => this.applyNode(node, view));
    const shifts = sideways(view.scene.links);
    const links = view.scene.links
      .filter((link) => link.source !== link.target)
      .map((link) => this.applyLink(link, shifts.get(link.key) ?? 0, view, motion ? now : null));
    return {
      structure: removed || [...nodes, ...links].some((change) => change.structure),
      nodes: nodes.flatMap((change) => (change.changed ? [change.key] : [])),
      links: links.flatMap((change) => (change.changed ? [change.key] : [])),
      overlay: [...nodes, ...links].some((change) => change.overlay),
      texts: links.flatMap((change) => (change.text ? [change.key] : [])),
    };
  }

  /** Advances the transitions; the links whose line changed. */
  step(now: number): string[] {
    const moving = [...this.transitions.keys()];
    for (const [key, transition] of this.transitions) {
      if (this.graph.hasEdge(key)) this.graph.getEdgeAttributes(key).solid = solidAt(transition, now);
      if (isOver(transition, now)) this.transitions.delete(key);
    }
    return moving.filter((key) => this.graph.hasEdge(key));
  }

  get moving(): boolean {
    return this.transitions.size > 0;
  }

  private drop(scene: Scene): boolean {
    const nodes = new Set(scene.nodes.map((node) => node.key));
    const ends = new Map(scene.links.map((link) => [link.key, link]));
    const oldLinks = this.graph.filterEdges((key, _attributes, source, target) => {
      const link = ends.get(key);
      return link?.source !== source || link.target !== target;
    });
    for (const key of oldLinks) this.graph.dropEdge(key);
    const oldNodes = this.graph.filterNodes((key) => !nodes.has(key));
    for (const key of oldNodes) this.graph.dropNode(key);
    return oldLinks.length + oldNodes.length > 0;
  }

  private applyNode(node: SceneNode, view: View): Change {
    const attributes = nodeAttributes(node, view);
    if (!this.graph.hasNode(node.key)) {
      this.graph.addNode(node.key, attributes);
      return { key: node.key, changed: true, structure: true, overlay: true, text: false };
    }
    const before = this.graph.getNodeAttributes(node.key);
    const moved =
      before.x !== attributes.x || before.y !== attributes.y || before.zIndex !== attributes.zIndex;
    const overlay = differs(before.node, node, NODE_MARKS);
    return { key: node.key, changed: overwrite(before, attributes), structure: moved, overlay, text: false };
  }

  private applyLink(link: SceneLink, shift: number, view: View, startsAt: number | null): Change {
    const attributes = linkAttributes(link, shift, view);
    if (!this.graph.hasEdge(link.key)) {
      this.graph.addEdgeWithKey(link.key, link.source, link.target, attributes);
      return { key: link.key, changed: true, structure: true, overlay: true, text: false };
    }
    const before = this.graph.getEdgeAttributes(link.key);
    const wanted = attributes.solid;
    const running = this.transitions.get(link.key);
    if (startsAt !== null && (running?.to ?? before.solid) !== wanted) {
      this.transitions.set(link.key, { from: before.solid, to: wanted, startedAt: startsAt });
    } else if (startsAt === null) this.transitions.delete(link.key);
    if (this.transitions.has(link.key)) attributes.solid = before.solid;
    const raised = before.zIndex !== attributes.zIndex;
    const old = before.link;
    return {
      key: link.key,
      changed: overwrite(before, attributes),
      structure: raised,
      overlay: differs(old, link, LINK_MARKS),
      text: old.forward?.text !== link.forward?.text || old.back?.text !== link.back?.text,
    };
  }
}

interface Change {
  readonly key: string;
  readonly changed: boolean;
  readonly structure: boolean;
  readonly overlay: boolean;
  readonly text: boolean;
}

/** What the overlay draws of an item, except utilisation. */
const NODE_MARKS = ["label", "glyph", "tone", "tier", "badge", "emphasis", "box"] as const;
const LINK_MARKS = ["stroke", "badge", "emphasis"] as const;

function differs<T extends object>(one: T, other: T, names: readonly (keyof T)[]): boolean {
  return one !== other && names.some((name) => one[name] !== other[name]);
}

/** Attributes that are not drawn: the scene's item, which also has texts. */
const ITEMS: ReadonlySet<PropertyKey> = new Set(["node", "link"]);

/** Writes attributes without graphology's events: the caller notifies sigma once. Returns whether the look differs. */
function overwrite<T extends object>(target: T, source: T): boolean {
  const changed = (Object.keys(source) as (keyof T)[]).filter((name) => target[name] !== source[name]);
  for (const name of changed) target[name] = source[name];
  return changed.some((name) => !ITEMS.has(name));
}

const HEIGHT = { dim: 0, normal: 1, strong: 2 } as const;
/** Size of the members of an open group, relative to nodes in the columns. */
const MEMBER_SCALE = 0.6;
/** Opacity of a halo where it begins. */
const HALO = 0.42;

function nodeAttributes(node: SceneNode, { layout, frame, palette, selected }: View): NodeAttributes {
  const isMember = node.box !== null && node.box !== node.key;
  const style = nodeStyle(node, palette, frame.scale * (isMember ? MEMBER_SCALE : 1));
  return {
    ...toGraph(layout.places.get(node.key) ?? { x: 0.5, y: 0.5 }, frame),
    label: node.label,
    size: style.radius,
    glyph: GLYPH_CODE[node.glyph],
    halo: node.halo ? HALO : 0,
    ring: node.key === selected ? 1 : 0,
    fillColour: style.fill,
    borderColour: style.border,
    zIndex: HEIGHT[node.emphasis],
    node,
  };
}

function linkAttributes(link: SceneLink, shift: number, view: View): LinkAttributes {
  const style = linkStyle(link, view.palette, view.scheme, view.frame.lineScale);
  return {
    size: style.width,
    shift: shift * view.frame.lineScale,
    stroke: STROKE_CODE[link.stroke],
    solid: link.stroke === "standby" || link.stroke === "standby_dead" ? 0 : 1,
    halo: link.halo ? HALO : 0,
    alpha: style.alpha,
    outline: style.outlinePx,
    selected: link.key === view.selected ? 1 : 0,
    forwardColour: style.forward,
    backColour: style.back,
    outlineColour: style.outline,
    zIndex: 2 * HEIGHT[link.emphasis] + (style.full ? 1 : 0),
    link,
  };
}

export const SWITCH_MS = 400;

interface Transition {
  readonly from: number;
  readonly to: number;
  readonly startedAt: number;
}

/** Solidity of a line in transition, 0 (dotted) to 1 (solid), eased out. */
export function solidAt(transition: Transition, now: number): number {
  const progress = Math.min(1, Math.max(0, (now - transition.startedAt) / SWITCH_MS));
  const eased = 1 - (1 - progress) ** 3;
  return transition.from + (transition.to - transition.from) * eased;
}

function isOver(transition: Transition, now: number): boolean {
  return now - transition.startedAt >= SWITCH_MS;
}
