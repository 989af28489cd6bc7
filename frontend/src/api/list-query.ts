/** Paged lists. The API searches, filters and sorts; a cursor continues where the previous page ended. */
import { infiniteQueryOptions, keepPreviousData, type InfiniteData } from "@tanstack/react-query";
import { afterResponse, client, unwrap } from "@/api/client";
import type { paths } from "@/api/schema";
import type { Page } from "@/api/types";

type Get<P extends keyof paths> = paths[P] extends { get: infer G } ? G : never;
type Answer<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : never;
type Query<P extends keyof paths> =
  Get<P> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** API paths that return pages. */
type ListPath = {
  [P in keyof paths]: [Answer<P>] extends [never] ? never : Answer<P> extends Page<unknown> ? P : never;
}[keyof paths];
type RowOf<P extends ListPath> = Answer<P> extends Page<infer T> ? T : never;
/** Search, filters and sort of a list. */
type Wanted<P extends ListPath> = Omit<Query<P>, "site" | "cursor">;

export type Pages<T> = InfiniteData<Page<T>, string>;

/** Maximum page size of the API, and the size of all pages that continue a list. */
const LIMIT = 500;

/** Rows of the first request: it fills the screen soon. */
export const FIRST_ROWS = 100;

/** What the page of a list shows without parameters in its URL. */
export interface ListDefaults<Filter extends string> {
  /** Sort unless the URL has one; empty: the API's default. */
  readonly sort?: string;
  /** API filters with their defaults; empty and `all` do not filter. */
  readonly filters?: Readonly<Record<Filter, string>>;
  /** URL names that differ from the API's. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Drops parameters that do not filter or sort. */
export const wantedOf = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== "all"));

interface Options<T> {
  /** Polling interval in milliseconds, for lists that the live stream does not announce. */
  readonly every?: number | ((rows: T[]) => number);
  /** The `{id}` of the path. */
  readonly id?: number;
}

/** Fetches one page of any list; the types above map each path to its parameters and response. */
export function fetchPage<P extends ListPath>(
  path: P,
  query: Partial<Wanted<P>> & { site?: string },
  { cursor, id }: { cursor: string; id?: number | undefined },
): Promise<Page<RowOf<P>>> {
  const part = cursor === "" ? { limit: LIMIT, ...query } : { ...query, limit: LIMIT, cursor };
  const params = { query: part, path: { id } };
  return unwrap(client.GET(path as never, { params } as never));
}

/** Query key of lists at a past moment: neither the live stream nor time changes them. */
const PAST = "past";

/** The pages of a site's list; `noun` is its name in the live stream. */
export function listQuery<P extends ListPath>(noun: string, path: P, { every, id }: Options<RowOf<P>> = {}) {
  type Row = RowOf<P>;
  return (site: string, wanted: Partial<Wanted<P>> = {}) => {
    const isPast = "at" in wanted;
    return infiniteQueryOptions<Page<Row>, Error, Pages<Row>, readonly unknown[], string>({
      queryKey: [isPast ? PAST : noun, id ?? site, wanted, path],
      meta: { list: path.replace("/api/v1/", "") },
      queryFn: ({ pageParam: cursor }) =>
        fetchPage(path, id === undefined ? { site, ...wanted } : wanted, { cursor, id }),
      initialPageParam: "",
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval:
        every !== undefined &&
        !isPast &&
        ((query) =>
          afterResponse(typeof every === "function" ? every(rowsOf(query.state.data)) : every)(query)),
    });
  };
}

/** TanStack Query options of a list. */
export type ListOptions<T> = ReturnType<
  typeof infiniteQueryOptions<Page<T>, Error, Pages<T>, readonly unknown[], string>
>;
/** Reads the list that `listQuery` describes. */
export type ListQuery<T, W> = (site: string, wanted?: W) => ListOptions<T>;

/** Name of a list: its path in the API, such as `links`. */
export const listName = ({
  meta,
}: {
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}): string => String(meta?.["list"] ?? "");

export const rowsOf = <T>(data: Pages<T> | undefined): T[] => data?.pages.flatMap(({ items }) => items) ?? [];
