/** How pages see the live stream: its state, and whether the data may still be called live. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { LiveState, LiveStream } from "@/api/live";

export const LiveContext = createContext<LiveStream | null>(null);

/** The stream of this page; an error outside of the provider. */
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

/** Whether what the pages show is too old to be called live: three intervals without a message, or 8 s without a stream or an answer. Times in milliseconds. */
export function isStale(state: LiveState, openedAt: number, now: number, intervalSeconds: number): boolean {
  if (state.connection === "paused") return false;
  const patience = state.connection === "live" ? Math.max(PATIENCE_S, 3 * intervalSeconds) : PATIENCE_S;
  const since = state.receivedAt === 0 ? openedAt : state.receivedAt;
  return now - since > patience * 1000;
}
