/** Time left to confirm a change, by the server's clock. Pure; the times are arguments. */

/** The fields of a change that the countdown uses. */
export interface Waiting {
  /** RFC 3339: when the guards roll back; null if no wave awaits confirmation. */
  readonly confirm_by: string | null;
  /** RFC 3339 and seconds: `since` plus `age_s` is the server's time of the response. */
  readonly since: string;
  readonly age_s: number;
}

/**
 * Seconds left, negative after the deadline; null if no wave awaits confirmation. The local clock only measures the time
 * since the response, so it may be wrong by hours. `receivedAt` and `now`: Unix milliseconds of the local clock.
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

/** Seconds left at which screen readers announce the countdown. */
const SPOKEN_AT = [60, 30, 10] as const;

/** The mark passed between two readings of the countdown, in seconds, or null. */
export function markPassed(before: number, now: number): number | null {
  return SPOKEN_AT.findLast((mark) => before > mark && now <= mark) ?? null;
}
