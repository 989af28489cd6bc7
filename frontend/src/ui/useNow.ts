/** A clock that ticks: the one place where what is drawn depends on the time that passes. */
import { useEffect, useState } from "react";

/** Unix milliseconds, renewed each `everyMs`. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
