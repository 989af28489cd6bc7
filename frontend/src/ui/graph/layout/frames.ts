/**
 * Layout of a scene with open groups: a group keeps its place, and its members are drawn in a frame there, so that opening
 * and closing move nothing else. Pure.
 */
import { byName } from "./naturalOrder";
import { type Cell, type Layout, type LayoutNode, layOut, type Place } from "./layout";
import type { Pair } from "./order";

export interface BoxedNode extends LayoutNode {
  /** Key of the node in whose frame it is drawn, itself included; null: in the columns. */
  readonly box: string | null;
}

/** An open group's frame, as fractions of the drawing area; x and y of its centre. */
export interface Box extends Place, Cell {}

export interface SceneLayout extends Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  /** Positions of the columns without members of open groups: what a later layout keeps. */
  readonly columnPlaces: ReadonlyMap<string, Place>;
}

/** Fraction of its place that a frame takes. */
const FRAME = 0.92;
/** Width of the drawing area by its height, about: squares the grid of the members. */
const ASPECT = 1.8;
/** Parts of a frame, as fractions of it: the group's own symbol, the members, and those of later tiers. */
const CORNER = { x: 0.09, y: 0.12 };
const MEMBERS = { left: 0.1, right: 0.66, top: 0.28, bottom: 0.94 };
const LATER_X = 0.88;

/** Places the columns, then the members of open groups. */
export function layOutScene(
  nodes: readonly BoxedNode[],
  pairs: readonly Pair[],
  earlier: ReadonlyMap<string, Place> | undefined,
  large: boolean,
): SceneLayout {
  const boxOf = new Map(nodes.flatMap(({ key, box }) => (box === null ? [] : [[key, box] as const])));
  const top = nodes.filter(({ key, box }) => box === null || box === key);
  const layout = layOut(top, large ? liftedPairs(pairs, boxOf) : pairs, earlier, large);
  const [places, boxes] = [new Map(layout.places), new Map<string, Box>()];
  for (const { key, box } of top) {
    const [centre, cell] = [layout.places.get(key), layout.cells.get(key)];
    if (box === null || !centre || !cell) continue;
    const frame = { ...centre, width: cell.width * FRAME, height: cell.height * FRAME };
    boxes.set(key, frame);
    const members = nodes.filter((node) => node.box === key && node.key !== key);
    for (const [member, place] of fill(frame, members)) places.set(member, place);
    places.set(key, inside(frame, CORNER));
  }
  return { ...layout, places, boxes, columnPlaces: layout.places };
}

/** The pairs between columns, once each: the same whether a group is open or closed. */
function liftedPairs(pairs: readonly Pair[], boxOf: ReadonlyMap<string, string>): Pair[] {
  const lifted = new Map<string, Pair>();
  for (const [source, target] of pairs) {
    const ends = [boxOf.get(source) ?? source, boxOf.get(target) ?? target].toSorted();
    const [one, other] = ends as [string, string];
    if (one !== other) lifted.set(`${one}\n${other}`, [one, other]);
  }
  return [...lifted.values()];
}

const inside = ({ x, y, width, height }: Box, at: { x: number; y: number }): Place => ({
  x: x + (at.x - 0.5) * width,
  y: y + (at.y - 0.5) * height,
});

/** Places the members of the first tier in a grid, those of later tiers in a column beside it. */
function fill(frame: Box, members: readonly BoxedNode[]): [string, Place][] {
  const first = Math.min(...members.map(({ tier }) => tier));
  const sorted = members.toSorted((a, b) => byName(a.name, b.name) || byName(a.key, b.key));
  const [early, late] = [
    sorted.filter(({ tier }) => tier === first),
    sorted.filter(({ tier }) => tier !== first),
  ];
  const [across, down] = [MEMBERS.right - MEMBERS.left, MEMBERS.bottom - MEMBERS.top];
  const ratio = (across * frame.width * ASPECT) / (down * frame.height);
  const columns = Math.min(early.length, Math.max(1, Math.round(Math.sqrt(early.length * ratio))));
  const rows = Math.ceil(early.length / columns);
  return [
    ...early.map(({ key }, index): [string, Place] => {
      const x = MEMBERS.left + (((index % columns) + 0.5) / columns) * across;
      const y = MEMBERS.top + ((Math.floor(index / columns) + 0.5) / rows) * down;
      return [key, inside(frame, { x, y })];
    }),
    ...late.map(({ key }, index): [string, Place] => [
      key,
      inside(frame, { x: LATER_X, y: MEMBERS.top + ((index + 0.5) / late.length) * down }),
    ]),
  ];
}
