/**
 * The scene: a graph in terms of drawing. Callers build it from nodes and links; the canvas and the static graph draw it.
 */

export type Glyph = "host" | "switch" | "router" | "gateway" | "fabric" | "group";

/** State as a colour; badge and description show its glyph and label. */
export type Tone = "ok" | "warning" | "critical" | "unknown" | "disabled";

/** How a line is drawn: solid, dotted, dotted amber, red without arrowheads, red dashes, hatched grey. */
export type Stroke = "active" | "standby" | "standby_dead" | "dead" | "down" | "unknown";

/** Emphasised, normal, or dimmed. */
export type Emphasis = "strong" | "normal" | "dim";

export interface SceneNode {
  readonly key: string;
  readonly label: string;
  readonly glyph: Glyph;
  readonly tone: Tone;
  /** Column from the left. */
  readonly tier: number;
  /** Nodes that stay together in the order, e.g. of one role. */
  readonly group: string;
  readonly badge: number;
  readonly halo: boolean;
  readonly emphasis: Emphasis;
  /** Key of the node in whose frame it is drawn, itself included; null: in the columns. */
  readonly box: string | null;
  /** Description for screen readers. */
  readonly description: string;
}

/** One direction of a link; load is null without fresh data. */
export interface HalfLoad {
  readonly utilisation: number;
  readonly text: string;
}

export interface SceneLink {
  readonly key: string;
  readonly source: string;
  readonly target: string;
  readonly stroke: Stroke;
  /** Line width in CSS px at ratio 1, from `strokeWidth`. */
  readonly width: number;
  readonly forward: HalfLoad | null;
  readonly back: HalfLoad | null;
  readonly badge: number;
  readonly halo: boolean;
  readonly emphasis: Emphasis;
  readonly description: string;
}

export interface Scene {
  readonly nodes: readonly SceneNode[];
  readonly links: readonly SceneLink[];
  /** Heading of each tier, by tier number. */
  readonly tiers: Readonly<Record<number, string>>;
  /** Whether the columns are grids of fixed places, so that a node that is added or opened moves no other. */
  readonly isLarge: boolean;
}

/** A hit; `half` is the direction of the link under the pointer. */
export type Hit =
  | { readonly type: "node"; readonly key: string }
  | { readonly type: "link"; readonly key: string; readonly half: "forward" | "back" };
