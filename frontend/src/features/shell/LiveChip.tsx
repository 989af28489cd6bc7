/** Connection state with the age of the newest message; a click pauses or resumes. */
import { useState } from "react";
import { isStale, useLiveState, useLiveStream } from "@/api/connection";
import type { Connection } from "@/api/live";
import { useSite } from "@/api/scope";
import classes from "./LiveChip.module.css";
import { useClock } from "@/ui/useClock";
import { duration } from "@/util/units";

const LABELS: Record<Connection, string> = {
  connecting: "connecting",
  live: "live",
  polling: "polling",
  paused: "paused",
};

/** Connection, whether the data is stale, and its age in seconds. */
export function useFreshness(): { connection: Connection; stale: boolean; age: number | null } {
  const state = useLiveState();
  const site = useSite();
  const now = useClock();
  const [openedAt] = useState(() => Date.now());
  return {
    connection: state.connection,
    stale: isStale(state, openedAt, now, site?.interval_s ?? 5),
    age: state.receivedAt === 0 ? null : Math.max(0, Math.round((now - state.receivedAt) / 1000)),
  };
}

export function LiveChip() {
  const stream = useLiveStream();
  const { connection, stale, age } = useFreshness();
  const paused = connection === "paused";
  const label = stale ? "not live" : LABELS[connection];
  const action = paused ? "Resume live data" : "Pause live data";
  return (
    <button
      type="button"
      className={`chip ${classes.chip}`}
      data-tone={stale ? "stale" : connection}
      data-testid="live"
      title={action}
      onClick={() => (paused ? stream.resume() : stream.hold())}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span>{label}</span>
      {age !== null && <span className={`num ${classes.age}`}>{duration(age)}</span>}
      <span className="visually-hidden">. {action}</span>
    </button>
  );
}
