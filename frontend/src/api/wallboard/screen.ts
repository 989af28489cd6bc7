/** A screen's own cache and live stream: it has no session, runs for weeks, and survives every fault of the server. */
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { LiveStream } from "@/api/live";
import { asApiError, worthRetrying } from "@/api/problem";
import { currentWallboardQuery } from "@/api/wallboard/queries";
import { tokenSource } from "@/api/wallboard/token-source";

/** Data that no page shows is forgotten after this time, so that the memory does not grow. */
export const FORGET_MS = 120_000;
const LONGEST_MS = 30_000;

/** Grows with each failure; random, so that screens do not return together. `random`: 0 to 1. */
export function pauseMs(failures: number, random: number): number {
  return Math.min(1000 * 2 ** failures, LONGEST_MS) * (0.5 + random / 2);
}

export interface Screen {
  readonly queries: QueryClient;
  readonly live: LiveStream;
}

/** `onRefused`: the server refused the token, with its reason. */
export function makeScreen(token: string, onRefused: (reason: string) => void): Screen {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (thrown) => {
        const error = asApiError(thrown);
        if (error.status === 401) onRefused(error.message);
      },
    }),
    defaultOptions: {
      queries: {
        // The browser's guess whether it is online is often wrong on screens.
        networkMode: "always",
        refetchIntervalInBackground: true,
        staleTime: 5000,
        gcTime: FORGET_MS,
        retry: (failures, error) => failures < 2 && worthRetrying(error),
        retryDelay: (failures) => pauseMs(failures, Math.random()),
      },
    },
  });
  const live = new LiveStream(queries, {
    open: tokenSource({
      token,
      // Its answer has the reason.
      onRefused: () => void queries.invalidateQueries(currentWallboardQuery),
    }),
    now: () => Date.now(),
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
  return { queries, live };
}
