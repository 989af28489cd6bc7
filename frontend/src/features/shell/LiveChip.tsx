/** Connection state with the age of the newest message; a click pauses or resumes. */
import { useState } from "react";
import { useLocation } from "react-router";
import { isLagging, isStale, useLiveState, useLiveStream } from "@/api/connection";
import type { Connection } from "@/api/live";
import { useSite } from "@/api/scope";
import classes from "./LiveChip.module.css";
import { useCountsQuery } from "./counts";
import { useClock } from "@/ui/useClock";
import { duration } from "@/util/units";

const LABELS: Record<Connection, string> = {
  connecting: "connecting",
  live: "live",
  polling: "polling",
  paused: "paused",
};

interface Freshness {
  connection: Connection;
  /** No live messages, or the values of the page are outdated although messages arrive. */
  stale: boolean;
  /** Seconds since the newest message, or of the outdated values; null before the first. */
  age: number | null;
}

/** Every page polls the counts, or on the overview all of it: three missed intervals are too many. */
export function useFreshness(): Freshness {
  const state = useLiveState();
  const site = useSite();
  const { pathname } = useLocation();
  const { dataUpdatedAt } = useCountsQuery(pathname === "/");
  const now = useClock();
  const [openedAt] = useState(() => Date.now());
  const isLate = state.connection !== "paused" && isLagging(dataUpdatedAt, now);
  const since = isLate ? dataUpdatedAt : state.receivedAt;
  return {
    connection: state.connection,
    stale: isLate || isStale(state, openedAt, now, site?.interval_s ?? 5),
    age: since === 0 ? null : Math.max(0, Math.round((now - since) / 1000)),
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
