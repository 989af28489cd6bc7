/** State of the live stream for pages, and whether their data is still live. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { LiveState, LiveStream } from "@/api/live";

export const LiveContext = createContext<LiveStream | null>(null);

/** The stream of this page; throws outside of the provider. */
export function useLiveStream(): LiveStream {
  const stream = useContext(LiveContext);
  if (stream === null) throw new Error("useLiveStream needs a LiveContext above it");
  return stream;
}

export function useLiveState(): LiveState {
  const stream = useLiveStream();
  return useSyncExternalStore(stream.subscribe, stream.snapshot);
}

const PATIENCE_S = 8;

/**
 * When the pages' data is stale unless a message arrives: after three intervals without one, or 8 s with neither a stream nor
 * a response. Unix milliseconds; infinite while paused.
 */
export function staleAt(state: LiveState, openedAt: number, intervalSeconds: number): number {
  if (state.connection === "paused") return Infinity;
  const patience = state.connection === "live" ? Math.max(PATIENCE_S, 3 * intervalSeconds) : PATIENCE_S;
  const since = state.receivedAt === 0 ? openedAt : state.receivedAt;
  return since + patience * 1000;
}

/** Whether the pages' data is stale at `now`. */
export function isStale(state: LiveState, openedAt: number, now: number, intervalSeconds: number): boolean {
  return now > staleAt(state, openedAt, intervalSeconds);
}

/** Three polling intervals of the overview. */
export const LATE_S = 15;

/** Whether polled values are outdated, whatever the stream says. Unix milliseconds; 0: there was no response yet. */
export const isLagging = (respondedAt: number, now: number): boolean =>
  respondedAt !== 0 && now - respondedAt > LATE_S * 1000;
