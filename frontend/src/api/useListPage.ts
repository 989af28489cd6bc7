/** One list page: its search, filters and sort in the URL, its rows as the API gives them, more of them as one scrolls. */
import { useCallback, useMemo } from "react";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { rowsOf, type ListQuery } from "@/api/list-query";
import { useUrlState, useSite } from "@/api/scope";

interface Options<Filter extends string> {
  /** Columns; the API sorts by those that are sortable. */
  readonly columns?: readonly { readonly id: string; readonly sortable?: boolean }[];
  /** The sort unless the URL has one; empty: the API's own. */
  readonly sort?: string;
  /** Filters of the API with their defaults; empty and `all` do not narrow. */
  readonly filters?: Readonly<Record<Filter, string>>;
  /** Names in the URL where they differ from the API's. */
  readonly names?: Readonly<Record<string, string>>;
  /** What is asked for besides, whatever the URL has. */
  readonly fixed?: Readonly<Record<string, string>>;
}

const NONE: Readonly<Record<string, string>> = {};

/** Only what narrows or orders. */
const wantedOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== "all"));

export function useListPage<T, W, Filter extends string = never>(
  list: ListQuery<T, W>,
  { columns = [], sort = "", filters, names = NONE, fixed = NONE }: Options<Filter> = {},
) {
  type Name = Filter | "q" | "sort";
  const site = useSite()?.name;
  const defaults = { q: "", sort, ...filters } as Record<Name, string>;
  const [found, set] = useUrlState(defaults, names);
  const isKnown = columns.some(({ id, sortable }) => sortable && id === found.sort.replace(/^-/, ""));
  const values = { ...found, sort: isKnown ? found.sort : sort };
  const wanted = wantedOf({ ...values, ...fixed }) as W;
  const enabled = site !== undefined;
  const pages = useInfiniteQuery({ ...list(site ?? "", wanted), enabled });
  const unfiltered = useInfiniteQuery({
    ...list(site ?? "", wantedOf({ ...defaults, ...fixed }) as W),
    enabled,
  });
  const rows = useMemo(() => rowsOf(pages.data), [pages.data]);
  const queries = useQueryClient();
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const load = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return {
    site,
    query: { data: pages.data && rows, error: pages.error, refetch: pages.refetch },
    rest: pages.hasNextPage
      ? { isLoading: isFetchingNextPage, isFailed: isFetchNextPageError, load }
      : undefined,
    /** Every row, for a file: read anew and not kept. */
    all: async () =>
      rowsOf(
        await queries.fetchInfiniteQuery({
          ...list(site ?? "", wanted),
          queryKey: ["file", site, wanted],
          pages: Infinity,
          gcTime: 0,
        }),
      ),
    values,
    set,
    isFiltered: Object.keys(values).some(
      (name) => name !== "sort" && values[name as Name] !== defaults[name as Name],
    ),
    /** A sentence about the whole list, whatever is filtered; says when it is about the first page only. */
    headline: (describe: (rows: readonly T[]) => string): string => {
      const first = unfiltered.data?.pages[0];
      if (first === undefined) return "";
      const known = rowsOf(unfiltered.data);
      return unfiltered.hasNextPage ? `Of the first ${known.length}: ${describe(known)}` : describe(known);
    },
  };
}
