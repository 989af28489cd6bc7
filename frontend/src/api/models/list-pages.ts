/** Lists whose first rows are requested before their page is loaded: the page and this request must want the same. */
import type { QueryClient } from "@tanstack/react-query";
import { FIRST_ROWS, wantedOf, type ListDefaults, type ListQuery } from "@/api/list-query";
import { pathGroupsList } from "@/api/models/paths";
import { linksList, nodesList, pathsList } from "@/api/queries";

export const DEVICES = { sort: "name", filters: { state: "", kind: "" } } as const;
export const LINKS = { sort: "-utilisation", filters: { state: "", fabric: "" } } as const;
export const PATHS = { filters: { policy: "", state: "" }, names: { q: "node" } } as const;

/** Requests the first rows that the page at this URL shows, if it is one of these lists. */
export function prefetchRows(
  queries: QueryClient,
  site: string,
  { pathname, searchParams }: Pick<URL, "pathname" | "searchParams">,
): void {
  const rows = <T, W, Filter extends string>(list: ListQuery<T, W>, defaults: ListDefaults<Filter>) =>
    void queries.prefetchInfiniteQuery(list(site, firstWanted(defaults, searchParams) as W));
  // Only the page knows by which columns it can sort.
  if (searchParams.has("sort")) return;
  if (pathname === "/devices") rows(nodesList, DEVICES);
  if (pathname === "/links") rows(linksList, LINKS);
  if (pathname !== "/paths") return;
  if (searchParams.get("view") === "nodes") rows(pathsList, PATHS);
  else rows(pathGroupsList, PATHS);
}

function firstWanted<Filter extends string>(
  { sort = "", filters, names = {} }: ListDefaults<Filter>,
  params: URLSearchParams,
) {
  const values = Object.entries<string>({ q: "", sort, ...filters }).map(([name, byDefault]) => [
    name,
    params.get(names[name] ?? name) ?? byDefault,
  ]);
  return { ...wantedOf(Object.fromEntries(values)), limit: FIRST_ROWS };
}
