/**
 * The one motion on the map: a path that switches sides. A line that starts or stops carrying traffic fills up or dissolves
 * into dots within 400 ms; nothing else moves. Pure; `now` in milliseconds.
 */

export const SWITCH_MS = 400;

export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly startedAt: number;
}

/** How solid the line is now, 0 (dotted) .. 1 (whole), eased out. */
export function solidAt(transition: Transition, now: number): number {
  const progress = Math.min(1, Math.max(0, (now - transition.startedAt) / SWITCH_MS));
  const eased = 1 - (1 - progress) ** 3;
  return transition.from + (transition.to - transition.from) * eased;
}

export function isOver(transition: Transition, now: number): boolean {
  return now - transition.startedAt >= SWITCH_MS;
}
