/** Lists of the API, a page at a time. The API searches, filters and sorts; a page begins where the one before ended. */
import { infiniteQueryOptions, keepPreviousData, type InfiniteData } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type { paths } from "@/api/schema";
import type { Page } from "@/api/types";

type Get<P extends keyof paths> = paths[P] extends { get: infer G } ? G : never;
type Answer<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : never;
type Query<P extends keyof paths> =
  Get<P> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** Addresses of the API that answer with pages. */
type ListPath = {
  [P in keyof paths]: [Answer<P>] extends [never] ? never : Answer<P> extends Page<unknown> ? P : never;
}[keyof paths];
type RowOf<P extends ListPath> = Answer<P> extends Page<infer T> ? T : never;
/** What narrows and orders a list. */
type Wanted<P extends ListPath> = Omit<Query<P>, "site" | "cursor">;

export type Pages<T> = InfiniteData<Page<T>, string>;

/** The API's longest page. Headlines count it, so that most sites are counted whole by one request. */
const LIMIT = 500;

interface Options<T> {
  /** Milliseconds between two reads of what is loaded, where the live stream does not say that it changed. */
  readonly every?: number | ((rows: T[]) => number);
  /** The `{id}` of the address. */
  readonly id?: number;
}

/** One page. One function for every list: the types above say which address takes and answers what. */
export function fetchPage<P extends ListPath>(
  path: P,
  query: Partial<Wanted<P>> & { site?: string },
  { cursor, id }: { cursor: string; id?: number | undefined },
): Promise<Page<RowOf<P>>> {
  const params = { query: { limit: LIMIT, ...query, ...(cursor === "" ? {} : { cursor }) }, path: { id } };
  return unwrap(client.GET(path as never, { params } as never));
}

/** The pages of a list at a site; `noun` is what the live stream calls it. */
export function listQuery<P extends ListPath>(noun: string, path: P, { every, id }: Options<RowOf<P>> = {}) {
  type Row = RowOf<P>;
  return (site: string, wanted: Partial<Wanted<P>> = {}) =>
    infiniteQueryOptions<Page<Row>, Error, Pages<Row>, readonly unknown[], string>({
      queryKey: [noun, id ?? site, wanted, path],
      queryFn: ({ pageParam: cursor }) =>
        fetchPage(path, id === undefined ? { site, ...wanted } : wanted, { cursor, id }),
      initialPageParam: "",
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousData,
      refetchInterval:
        typeof every === "function" ? ({ state: { data } }) => every(rowsOf(data)) : (every ?? false),
    });
}

/** What TanStack Query needs to read a list. */
export type ListOptions<T> = ReturnType<
  typeof infiniteQueryOptions<Page<T>, Error, Pages<T>, readonly unknown[], string>
>;
/** A list as `listQuery` describes it. */
export type ListQuery<T, W> = (site: string, wanted?: W) => ListOptions<T>;

export const rowsOf = <T>(data: Pages<T> | undefined): T[] => data?.pages.flatMap(({ items }) => items) ?? [];
