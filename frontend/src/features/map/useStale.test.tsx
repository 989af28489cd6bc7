import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { LiveState } from "@/api/live";
import { useStale } from "./useMapData";

const INTERVAL_S = 5;
const LIVE: LiveState = { connection: "live", receivedAt: 1 };

const live = vi.hoisted(() => ({ state: {} as unknown, listeners: new Set<() => void>() }));
vi.mock("@/api/connection", async (load) => ({
  ...(await load<typeof import("@/api/connection")>()),
  useLiveStream: () => stream,
}));
const stream = {
  snapshot: () => live.state,
  subscribe: (listener: () => void) => {
    live.listeners.add(listener);
    return () => live.listeners.delete(listener);
  },
};
const receive = (state: LiveState) =>
  act(() => {
    live.state = state;
    for (const listener of live.listeners) listener();
  });

beforeEach(() => {
  vi.useFakeTimers({ now: 1 });
  live.state = LIVE;
});
afterEach(() => vi.useRealTimers());

test("waits for the end of patience with one timer, and is stale from then on without any", () => {
  const { result } = renderHook(() => useStale(INTERVAL_S));
  act(() => vi.advanceTimersByTime(3 * INTERVAL_S * 1000));
  expect([result.current, vi.getTimerCount()]).toEqual([false, 1]);
  act(() => vi.advanceTimersByTime(10));
  expect([result.current, vi.getTimerCount()]).toEqual([true, 0]);
});

test("every message postpones the timer, and ends staleness", () => {
  const { result } = renderHook(() => useStale(INTERVAL_S));
  act(() => vi.advanceTimersByTime(14_000));
  receive({ ...LIVE, receivedAt: Date.now() });
  act(() => vi.advanceTimersByTime(14_000));
  expect([result.current, vi.getTimerCount()]).toEqual([false, 1]);
  act(() => vi.advanceTimersByTime(2000));
  expect(result.current).toBe(true);
  receive({ ...LIVE, receivedAt: Date.now() });
  expect(result.current).toBe(false);
});

test("a paused page is never stale and has no timer", () => {
  live.state = { ...LIVE, connection: "paused" };
  const { result } = renderHook(() => useStale(INTERVAL_S));
  expect(vi.getTimerCount()).toBe(0);
  act(() => vi.advanceTimersByTime(600_000));
  expect(result.current).toBe(false);
});

test("leaves no timer behind", () => {
  const { unmount } = renderHook(() => useStale(INTERVAL_S));
  unmount();
  expect([vi.getTimerCount(), live.listeners.size]).toEqual([0, 0]);
});
