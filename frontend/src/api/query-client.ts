/** The query cache; the live stream keeps live data current. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { prefetchRows } from "@/api/models/list-pages";
import { asApiError, worthRetrying } from "@/api/problem";
import { overviewQuery, sitesQuery, topologyQuery } from "@/api/queries";
import { lastSite } from "@/api/site-memory";
import { pastEnd, rangeIn } from "@/util/time";

/** Handlers of errors that concern the whole application. */
interface Funnel {
  /** The session expired: sign in again. */
  readonly onSignedOut: () => void;
  /** A user's action failed: show the error and the next step. */
  readonly onFailed: (message: string) => void;
}

export function makeQueryClient({ onSignedOut, onFailed }: Funnel): QueryClient {
  const check = (error: Error) => {
    if (asApiError(error).status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: check }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        check(error);
        // Set by forms that show their own errors.
        if (meta?.ownErrors !== true) onFailed(error.message);
      },
    }),
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

/** Prefetches the data of the page at this URL. Only for browsers that had a session: the server would refuse others. */
export function prefetch(
  queries: QueryClient,
  { pathname, searchParams }: Pick<URL, "pathname" | "searchParams">,
): void {
  const site = searchParams.get("site") ?? lastSite();
  if (lastSite() === null || site === null) return;
  void queries.prefetchQuery(sitesQuery);
  const range = rangeIn(searchParams);
  // A past range shows the state of its moment.
  if (pastEnd(range.to, Date.now() / 1000) !== null) return;
  if (pathname === "/map") void queries.prefetchQuery(topologyQuery(site));
  if (pathname === "/") void queries.prefetchQuery(overviewQuery(site, range));
  prefetchRows(queries, site, { pathname, searchParams });
}
