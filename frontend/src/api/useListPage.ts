/** State of a list page: search, filters and sort in the URL; rows as sorted by the API, more on scrolling. */
import { useCallback, useEffect, useMemo } from "react";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import {
  FIRST_ROWS,
  listName,
  rowsOf,
  wantedOf,
  type ListDefaults,
  type ListOptions,
  type ListQuery,
} from "@/api/list-query";
import { useSavedViews } from "@/api/models/saved-views";
import { sessionQuery } from "@/api/queries";
import { useParam, useSite, useUrlState } from "@/api/scope";
import { count } from "@/util/units";
import { remember, remembered } from "@/util/storage";

interface Options<Filter extends string> extends ListDefaults<Filter> {
  /** Columns; the API sorts by those that are sortable. */
  readonly columns?: readonly { readonly id: string; readonly sortable?: boolean }[];
  /** Additional fixed parameters. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/** The page after the first one follows by itself, because headlines count rows. */
const NEXT_PAGE_MS = 1500;

const NONE: Readonly<Record<string, string>> = {};

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

/** Loads the page after the first one a moment later, once: together they are the whole list of most sites. */
function useNextPage(rows: number | undefined, rest: ReturnType<typeof usePages>["rest"]): void {
  const isDue = rows !== undefined && rows <= FIRST_ROWS && rest?.isLoading === false && !rest.isFailed;
  const load = isDue ? rest.load : undefined;
  useEffect(() => {
    if (load === undefined) return undefined;
    const timer = setTimeout(load, NEXT_PAGE_MS);
    return () => clearTimeout(timer);
  }, [load]);
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
  const options = list(site ?? "", { ...wanted, limit: FIRST_ROWS });
  const { query, rest } = usePages(options, site !== undefined);
  useNextPage(query.data?.length, rest);
  const layout = useColumnLayout(listName(options), names["columns"]);
  const views = useSavedViews({
    site: site ?? "",
    list: listName(options),
    values,
    defaults,
    names,
    columns: layout.text,
  });
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
    layout,
    views,
    /** Headline of the loaded rows; of a filtered list only their number. */
    headline: (describe: (rows: readonly T[]) => string): string => {
      if (query.data === undefined) return "";
      const number = query.data.length;
      if (isFiltered) return `${rest === undefined ? "" : "More than "}${count(number, "match", "matches")}.`;
      return rest === undefined ? describe(query.data) : `Of the first ${number}: ${describe(query.data)}`;
    },
  };
}

const PREFIX = "backstay.columns";

/**
 * The text of a layout, as `ui/table/layout` reads it, and its setter, which also remembers it in this browser.
 * `param`: name of the URL parameter.
 */
export function useColumnLayout(
  list: string,
  param = "columns",
): { readonly text: string; readonly set: (text: string) => void } {
  const person = useQueryClient().getQueryData(sessionQuery.queryKey)?.username ?? "";
  const key = `${PREFIX}/${person}/${list}`;
  const [named, setNamed] = useParam(param, "");
  const own = named === "" ? remembered(key) : "";
  useEffect(() => {
    if (own !== "") setNamed(own);
  }, [own, setNamed]);
  const set = useCallback(
    (text: string) => {
      remember(key, text);
      setNamed(text);
    },
    [key, setNamed],
  );
  return { text: named || own, set };
}
