/**
 * The scene: what a drawn network consists of, in the words of drawing. Everything that draws (the live canvas, the small
 * picture) reads these values, and the caller, who knows what a node or link *means*, makes them.
 */

export type Glyph = "host" | "switch" | "router" | "gateway" | "fabric" | "group";

/** State as colour; the glyph and the word that go with it are the badge's and the description's. */
export type Tone = "ok" | "warning" | "critical" | "unknown" | "disabled";

/** How a line is drawn: solid, dotted, dotted amber, red without arrowheads, red dashes, hatched grey. */
export type Stroke = "active" | "standby" | "standby_dead" | "dead" | "down" | "unknown";

/** Brought forward, normal, or put back because something else was asked for. */
export type Emphasis = "strong" | "normal" | "dim";

export interface SceneNode {
  readonly key: string;
  readonly label: string;
  readonly glyph: Glyph;
  readonly tone: Tone;
  /** Column from the left, as the layout counts them. */
  readonly tier: number;
  /** Neighbours in the alphabet that belong together: a role. */
  readonly group: string;
  readonly badge: number;
  readonly halo: boolean;
  readonly emphasis: Emphasis;
  /** One sentence for people who hear the map. */
  readonly description: string;
}

/** One direction of a link; null load means that nothing fresh is known. */
export interface HalfLoad {
  readonly utilisation: number;
  readonly text: string;
}

export interface SceneLink {
  readonly key: string;
  readonly source: string;
  readonly target: string;
  readonly stroke: Stroke;
  /** Of the whole line, CSS px at rest; from `strokeWidth`. */
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
}

/** A thing that can be pointed at. `half` says which direction of a link is under the pointer. */
export type Hit =
  | { readonly type: "node"; readonly key: string }
  | { readonly type: "link"; readonly key: string; readonly half: "forward" | "back" };
