/** State of a list page: search, filters and sort in the URL; rows as sorted by the API, more on scrolling. */
import { useCallback, useMemo } from "react";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { rowsOf, type ListOptions, type ListQuery } from "@/api/list-query";
import { useUrlState, useSite } from "@/api/scope";
import { count } from "@/util/units";

interface Options<Filter extends string> {
  /** Columns; the API sorts by those that are sortable. */
  readonly columns?: readonly { readonly id: string; readonly sortable?: boolean }[];
  /** Sort unless the URL has one; empty: the API's default. */
  readonly sort?: string;
  /** API filters with their defaults; empty and `all` do not filter. */
  readonly filters?: Readonly<Record<Filter, string>>;
  /** URL names that differ from the API's. */
  readonly names?: Readonly<Record<string, string>>;
  /** Additional fixed parameters. */
  readonly fixed?: Readonly<Record<string, string>>;
}

const NONE: Readonly<Record<string, string>> = {};

/** Drops parameters that do not filter or sort. */
const wantedOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== "all"));

/** The loaded rows of a list and the state of loading more. */
export function usePages<T>(options: ListOptions<T>, enabled = true) {
  const pages = useInfiniteQuery({ ...options, enabled });
  const rows = useMemo(() => rowsOf(pages.data), [pages.data]);
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError, hasNextPage } = pages;
  const load = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return {
    query: { data: pages.data && rows, error: pages.error, refetch: pages.refetch },
    rest: hasNextPage ? { isLoading: isFetchingNextPage, isFailed: isFetchNextPageError, load } : undefined,
  };
}

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
  const { query, rest } = usePages(list(site ?? "", wanted), site !== undefined);
  const queries = useQueryClient();
  const isFiltered = Object.keys(values).some(
    (name) => name !== "sort" && values[name as Name] !== defaults[name as Name],
  );
  return {
    site,
    query,
    rest,
    /** All rows for an export, fetched again and not cached. */
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
    isFiltered,
    /** Headline of the loaded rows; of a filtered list only their number. */
    headline: (describe: (rows: readonly T[]) => string): string => {
      if (query.data === undefined) return "";
      const number = query.data.length;
      if (isFiltered) return `${rest === undefined ? "" : "More than "}${count(number, "match", "matches")}.`;
      return rest === undefined ? describe(query.data) : `Of the first ${number}: ${describe(query.data)}`;
    },
  };
}
