/**
 * Label positions: next to the node on the side preferred by the layout, else on another side, else none: labels never
 * overlap. Pure, so that a test proves it.
 */

export type Side = "left" | "right" | "below" | "above";

export interface LabelRequest {
  readonly key: string;
  /** Centre of the node, CSS px on screen. */
  readonly x: number;
  readonly y: number;
  /** Half extents of the node, CSS px. */
  readonly reachX: number;
  readonly reachY: number;
  readonly width: number;
  readonly sides: readonly Side[];
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PlacedLabel extends Box {
  readonly key: string;
}

export const LINE_HEIGHT = 16;
const CLEAR = 5;
const CELL = 64;

/** Spatial index of boxes: thousands of them are compared with their neighbours only. */
export class Occupancy {
  private readonly cells = new Map<string, { box: Box; owner: string }[]>();

  add(box: Box, owner: string): void {
    for (const cell of cellsOf(box)) {
      const list = this.cells.get(cell);
      if (list) list.push({ box, owner });
      else this.cells.set(cell, [{ box, owner }]);
    }
  }

  /** Whether the box overlaps one of another owner. */
  blocks(box: Box, owner: string): boolean {
    return cellsOf(box).some((cell) =>
      (this.cells.get(cell) ?? []).some((other) => other.owner !== owner && overlap(other.box, box)),
    );
  }
}

function cellsOf(box: Box): string[] {
  const keys: string[] = [];
  for (let column = Math.floor(box.left / CELL); column <= Math.floor(box.right / CELL); column += 1) {
    for (let row = Math.floor(box.top / CELL); row <= Math.floor(box.bottom / CELL); row += 1)
      keys.push(`${column}:${row}`);
  }
  return keys;
}

/** Whether two boxes share some area. */
export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Places the labels in the given order; labels never cover nodes. */
export function placeLabels(
  requests: readonly LabelRequest[],
  occupied: readonly LabelRequest[],
): PlacedLabel[] {
  const occupancy = new Occupancy();
  for (const node of occupied) occupancy.add(bodyOf(node), node.key);
  const placed: PlacedLabel[] = [];
  for (const request of requests) {
    const box = request.sides
      .map((side) => boxAt(request, side))
      .find((candidate) => !occupancy.blocks(candidate, request.key));
    if (!box) continue;
    occupancy.add(box, `label ${request.key}`);
    placed.push({ key: request.key, ...box });
  }
  return placed;
}

function bodyOf({ x, y, reachX, reachY }: LabelRequest): Box {
  return { left: x - reachX, right: x + reachX, top: y - reachY, bottom: y + reachY };
}

function boxAt({ x, y, reachX, reachY, width }: LabelRequest, side: Side): Box {
  const top = {
    left: y - LINE_HEIGHT / 2,
    right: y - LINE_HEIGHT / 2,
    below: y + reachY + 2,
    above: y - reachY - 2 - LINE_HEIGHT,
  };
  const left = {
    left: x - reachX - CLEAR - width,
    right: x + reachX + CLEAR,
    below: x - width / 2,
    above: x - width / 2,
  };
  return { left: left[side], top: top[side], right: left[side] + width, bottom: top[side] + LINE_HEIGHT };
}
