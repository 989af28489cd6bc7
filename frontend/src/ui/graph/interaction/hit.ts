/**
 * Hit testing: the node, or the link and its half, under the pointer. In screen distances, so that small items can be hit.
 *
 * Sigma's picking draws the graph a second time and reads pixels back, which without a graphics card blocks at every
 * mouse move. Arithmetic over a few thousand shapes takes a millisecond.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Segment {
  readonly key: string;
  /** CSS px on screen, y downwards, parallel shift included. */
  readonly from: Point;
  readonly to: Point;
  readonly halfWidth: number;
}

export interface Body extends Point {
  readonly key: string;
  /** Half extents, CSS px. */
  readonly reachX: number;
  readonly reachY: number;
}

/** WCAG 2.2 target size: 24 px across at least. */
const LEAST_REACH = 12;

/** The nearest body that contains the point, or null. */
export function hitBody(point: Point, bodies: Iterable<Body>): string | null {
  let best: { key: string; distance: number } | null = null;
  for (const { key, x, y, reachX, reachY } of bodies) {
    const [dx, dy] = [Math.abs(point.x - x), Math.abs(point.y - y)];
    if (dx > Math.max(reachX, LEAST_REACH) || dy > Math.max(reachY, LEAST_REACH)) continue;
    const distance = Math.hypot(dx, dy);
    if (!best || distance < best.distance) best = { key, distance };
  }
  return best?.key ?? null;
}

interface SegmentHit {
  readonly key: string;
  readonly half: "forward" | "back";
}

/** Hit distance of lines: half of the 24 px target is too much in a dense map. */
const SLACK = 5;

/** The nearest segment within reach of the point, or null. */
export function hitSegment(point: Point, segments: Iterable<Segment>): SegmentHit | null {
  let best: { hit: SegmentHit; distance: number } | null = null;
  for (const segment of segments) {
    const { distance, along } = project(point, segment);
    const beyond = distance - segment.halfWidth;
    if (beyond > SLACK || (best && beyond >= best.distance)) continue;
    best = { hit: { key: segment.key, half: along < 0.5 ? "forward" : "back" }, distance: beyond };
  }
  return best?.hit ?? null;
}

function project(point: Point, { from, to }: Segment): { distance: number; along: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const raw = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const along = Math.min(1, Math.max(0, raw));
  return { distance: Math.hypot(point.x - from.x - along * dx, point.y - from.y - along * dy), along };
}

/** Moves a segment to the right of its direction, in px (screen: y downwards). */
export function shifted(from: Point, to: Point, right: number): { from: Point; to: Point } {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [(-(to.y - from.y) / length) * right, ((to.x - from.x) / length) * right];
  return { from: { x: from.x + x, y: from.y + y }, to: { x: to.x + x, y: to.y + y } };
}
