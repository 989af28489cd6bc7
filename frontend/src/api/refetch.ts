/** When polled queries are requested again. */

/** Shortest interval: a request that failed at once is not repeated at once. */
const LEAST_MS = 1000;

/**
 * Refetches `ms` after the newest response. A plain interval begins anew with each update of the data, so that live
 * messages that patch it more often than that would put off every request.
 */
export function afterResponse(ms: number) {
  return ({ state }: { state: { dataUpdatedAt: number; errorUpdatedAt: number } }): number => {
    const waited = Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
    return Math.min(ms, Math.max(LEAST_MS, ms - waited));
  };
}
