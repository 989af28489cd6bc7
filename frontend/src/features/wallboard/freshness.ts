/** Whether a wallboard's data is current, in words that can be read from the other end of the room. Pure. */
import type { LiveState } from "@/api/live";
import { isStale } from "@/api/connection";
import { duration } from "@/util/units";

/** Three polling intervals without an answer. */
export const LATE_MS = 15_000;

interface Facts {
  readonly live: LiveState;
  /** When the newest overview arrived; Unix milliseconds of this machine. */
  readonly updatedAt: number;
  readonly now: number;
  readonly intervalS: number;
  /** Seconds since the alert rules were evaluated, if they are late. */
  readonly evaluationLateS: number | null;
}

export interface Fault {
  readonly title: string;
  readonly text: string;
}

/** The gravest reason not to trust the screen; null: it is current. */
export function faultOf({ live, updatedAt, now, intervalS, evaluationLateS }: Facts): Fault | null {
  const age = (since: number): string => duration(Math.round((now - since) / 1000));
  const stale = isStale(live, updatedAt, now, intervalS);
  const receivedAt = live.receivedAt === 0 ? updatedAt : live.receivedAt;
  if (now - updatedAt > LATE_MS || (stale && live.connection !== "live"))
    return {
      title: "Connection lost",
      text: `No answer for ${age(Math.min(updatedAt, receivedAt))}: what you see is old. Reconnecting.`,
    };
  if (stale)
    return {
      title: "No measurements",
      text: `The server answers, but no device has reported for ${age(receivedAt)}.`,
    };
  if (evaluationLateS !== null)
    return {
      title: "Alerts are not evaluated",
      text: `The last evaluation was ${duration(evaluationLateS)} ago: no incident opens or resolves.`,
    };
  return null;
}
