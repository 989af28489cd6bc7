/** The moments of a replay. Pure. */
import { span, type Range, type Span } from "@/util/time";

/** Moments that a replay shows after its start. */
export const STEPS = 60;

const HOUR_S = 3600;

/** What a replay covers: the range, or the hour before now; moved so that `at` (Unix seconds) is within. */
export function replaySpan(range: Range, at: number, now: number): Span {
  const found = span(range, now) ?? { start: now - HOUR_S, end: now };
  const [start, end] = [Math.floor(found.start), Math.floor(Math.min(found.end, now))];
  const length = Math.max(end - start, STEPS);
  const first = Math.min(Math.max(start, at - length), Math.floor(at));
  return { start: first, end: first + length };
}

/** Whole seconds between two moments. */
export const stepOf = ({ start, end }: Span): number => Math.max(1, Math.round((end - start) / STEPS));

/** The moment after `at`; null after the last one. */
export function nextMoment(at: number, covered: Span): number | null {
  return at >= covered.end ? null : Math.min(at + stepOf(covered), covered.end);
}
