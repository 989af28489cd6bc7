/** Live, polling or paused, with the age of the newest message; a click pauses or goes back to live. */
import { useState } from "react";
import { isStale, useLiveState, useLiveStream } from "@/api/connection";
import type { Connection } from "@/api/live";
import { useSite } from "@/api/scope";
import classes from "./LiveChip.module.css";
import { useNow } from "@/ui/useNow";
import { duration } from "@/util/units";

const WORDS: Record<Connection, string> = {
  connecting: "connecting",
  live: "live",
  polling: "polling",
  paused: "paused",
};

/** What the chip and the banner need: whether the data is too old, and its age in seconds. */
export function useFreshness(): { connection: Connection; stale: boolean; age: number | null } {
  const state = useLiveState();
  const site = useSite();
  const now = useNow();
  const [openedAt] = useState(() => Date.now());
  return {
    connection: state.connection,
    stale: isStale(state, openedAt, now, site?.interval_s ?? 5),
    age: state.receivedAt === 0 ? null : Math.max(0, (now - state.receivedAt) / 1000),
  };
}

export function LiveChip() {
  const stream = useLiveStream();
  const { connection, stale, age } = useFreshness();
  const paused = connection === "paused";
  const word = stale ? "not live" : WORDS[connection];
  const action = paused ? "Go back to live data" : "Pause: freeze what is shown";
  return (
    <button
      type="button"
      className={classes.chip}
      data-tone={stale ? "stale" : connection}
      data-testid="live"
      title={action}
      onClick={() => (paused ? stream.resume() : stream.hold())}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span>{word}</span>
      {age !== null && <span className={`num ${classes.age}`}>{duration(age)}</span>}
      <span className="visually-hidden">. {action}</span>
    </button>
  );
}

/** Across the page while it cannot be called live; gone by itself when it is again. */
export function StaleBanner() {
  const { connection, stale, age } = useFreshness();
  const stream = useLiveStream();
  if (connection === "paused") {
    return (
      <div className={classes.banner} data-tone="paused" role="status">
        Paused{age === null ? "" : ` ${duration(age)} ago`}: figures are as they were then.
        <button type="button" className={classes.back} onClick={() => stream.resume()}>
          Back to live
        </button>
      </div>
    );
  }
  if (!stale) return null;
  return (
    <div className={classes.banner} data-tone="stale" role="alert" data-testid="stale-banner">
      No live data{age === null ? " yet" : ` for ${duration(age)}`}: what you see is old. Check that
      Backstay's web and live processes run; this page reconnects by itself.
    </div>
  );
}
