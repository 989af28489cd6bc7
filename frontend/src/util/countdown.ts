/** How long a change may still be confirmed, by the server's clock. Pure; `now` and when the answer arrived are arguments. */

/** As much of a change as the clock needs. */
export interface Waiting {
  /** RFC 3339: when the guards roll back; null when nothing waits. */
  readonly confirm_by: string | null;
  /** RFC 3339 and seconds: `since` plus `age_s` was the server's time when it answered. */
  readonly since: string;
  readonly age_s: number;
}

/**
 * Seconds left, below zero when it is over; null when nothing waits. Only the time that passed here since the answer arrived
 * is taken from this machine, so its clock may be wrong by hours. `receivedAt` and `now` in Unix milliseconds of this machine.
 */
export function secondsLeft(
  { confirm_by, since, age_s }: Waiting,
  receivedAt: number,
  now: number,
): number | null {
  if (confirm_by === null) return null;
  const serverThen = Date.parse(since) / 1000 + age_s;
  return Date.parse(confirm_by) / 1000 - serverThen - (now - receivedAt) / 1000;
}

/** `01:47`, rounded up so that 00:00 means that it is over; an hour and more as `61:05`. */
export function clockLeft(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
}

/** Said to people who hear the page: often enough to act, seldom enough to listen. */
const SPOKEN_AT = [60, 30, 10] as const;

/** The mark that was passed between two looks at the clock, in seconds; null when none was. */
export function markPassed(before: number, now: number): number | null {
  return SPOKEN_AT.findLast((mark) => before > mark && now <= mark) ?? null;
}
