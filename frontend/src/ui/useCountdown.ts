/** Seconds left of something that waits, renewed four times a second so that the shown second is right. */
import { useNow } from "@/ui/useNow";
import { secondsLeft, type Waiting } from "@/util/countdown";

const LOOK_MS = 250;

/** `receivedAt`: Unix milliseconds of this machine when the answer came. */
export function useCountdown(waiting: Waiting, receivedAt: number): number | null {
  return secondsLeft(waiting, receivedAt, useNow(LOOK_MS));
}
