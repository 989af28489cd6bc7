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

/** Whether the pages' data is stale: no message for three intervals, or neither a stream nor a response for 8 s. Times in milliseconds. */
export function isStale(state: LiveState, openedAt: number, now: number, intervalSeconds: number): boolean {
  if (state.connection === "paused") return false;
  const patience = state.connection === "live" ? Math.max(PATIENCE_S, 3 * intervalSeconds) : PATIENCE_S;
  const since = state.receivedAt === 0 ? openedAt : state.receivedAt;
  return now - since > patience * 1000;
}

/** Three polling intervals of the overview. */
export const LATE_S = 15;

/** Whether polled values are outdated, whatever the stream says. Unix milliseconds; 0: there was no response yet. */
export const isLagging = (respondedAt: number, now: number): boolean =>
  respondedAt !== 0 && now - respondedAt > LATE_S * 1000;
