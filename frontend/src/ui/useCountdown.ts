/** Seconds until a deadline, updated four times a second. */
import { useClock } from "@/ui/useClock";
import { secondsLeft, type Waiting } from "@/util/countdown";

const LOOK_MS = 250;

/** `receivedAt`: Unix milliseconds of this machine when the answer came. */
export function useCountdown(waiting: Waiting, receivedAt: number): number | null {
  return secondsLeft(waiting, receivedAt, useClock(LOOK_MS));
}
