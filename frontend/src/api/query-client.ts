/** The cache of answers: live data is kept right by the stream, so nothing is asked again merely for being looked at. */
import { QueryClient } from "@tanstack/react-query";
import { worthRetrying } from "@/api/problem";

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < 2 && worthRetrying(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 10_000),
      },
      mutations: { retry: false },
    },
  });
}
