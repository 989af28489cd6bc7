/** The query cache; the live stream keeps live data current. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { asApiError, worthRetrying } from "@/api/problem";
import { sitesQuery, topologyQuery } from "@/api/queries";
import { lastSite } from "@/api/site-memory";

/** What the rest of the application does about errors that no page can handle alone. */
interface Funnel {
  /** The session is over: sign in again. */
  readonly onSignedOut: () => void;
  /** Something that a person did failed: say so, with the next step. */
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
        // A form that shows its own errors says so in its meta.
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

/** Pages that draw the whole site at once. */
const TOPOLOGY_PAGES: ReadonlySet<string> = new Set(["/", "/map"]);

/** Starts the first answers of the page at this address. Nothing is asked for who has not been here: the server would refuse. */
export function prefetch(
  queries: QueryClient,
  { pathname, searchParams }: Pick<URL, "pathname" | "searchParams">,
): void {
  const site = searchParams.get("site") ?? lastSite();
  if (lastSite() === null || site === null) return;
  void queries.prefetchQuery(sitesQuery);
  if (TOPOLOGY_PAGES.has(pathname)) void queries.prefetchQuery(topologyQuery(site));
}
