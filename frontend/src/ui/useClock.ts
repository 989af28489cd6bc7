/** The current time as state. */
import { useEffect, useState } from "react";
import { secondsLeft, type Waiting } from "@/util/countdown";

/** Unix milliseconds, updated every `everyMs`. */
export function useClock(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Seconds until the deadline, updated four times a second. `receivedAt`: Unix milliseconds of this machine at the response. */
export function useCountdown(waiting: Waiting, receivedAt: number): number | null {
  return secondsLeft(waiting, receivedAt, useClock(250));
}
