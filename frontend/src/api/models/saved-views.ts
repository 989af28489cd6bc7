/** Saved views of a list: read when first needed, applied to the URL, saved from what the page shows. */
import { useCallback, useState } from "react";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { client, unwrap } from "@/api/client";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import type { components } from "@/api/schema";

export type SavedView = components["schemas"]["SavedViewOut"];
type SavedViewIn = components["schemas"]["SavedViewIn"];

/** The API's maximum page: more than the views of one list. */
const MOST = 500;
const DEFAULT_COLUMNS = "default";

const viewsQuery = (site: string, list: string) =>
  queryOptions({
    queryKey: ["saved-views", site, list],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/saved-views", { params: { query: { site, list_name: list, limit: MOST } } }),
      ),
    placeholderData: keepPreviousData,
  });

/** What a list page shows now, with the URL names of its parameters. */
interface Shown {
  readonly site: string;
  readonly list: string;
  /** Search, filters and sort, by the API's names. */
  readonly values: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
  /** Text of the columns' layout. */
  readonly columns: string;
}

/** `all` and an empty text do not filter. */
const isSet = (value: string): boolean => value !== "" && value !== "all";

/** What is saved of the page. */
export function savedOf({ values, columns }: Pick<Shown, "values" | "columns">) {
  const { sort = "", ...filters } = values;
  return {
    filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => isSet(value))),
    sort,
    columns: columns === "" || columns === DEFAULT_COLUMNS ? [] : columns.split("."),
  };
}

/** Filters of a view that the page does not have. */
export const unknownFilters = (
  { filters }: Pick<SavedView, "filters">,
  { defaults }: Pick<Shown, "defaults">,
) => Object.keys(filters).filter((name) => !(name in defaults));

/** The URL parameters of a page that shows the view; others stay. */
export function applied(
  { filters, sort, columns }: Pick<SavedView, "filters" | "sort" | "columns">,
  { defaults, names }: Pick<Shown, "defaults" | "names">,
  params: URLSearchParams,
): URLSearchParams {
  const fresh = new URLSearchParams(params);
  const put = (name: string, value: string) => {
    if (value === "") fresh.delete(names[name] ?? name);
    else fresh.set(names[name] ?? name, value);
  };
  for (const [name, byDefault] of Object.entries(defaults)) {
    // A filter with a default is off only when the URL says so.
    const off = byDefault === "" || name === "sort" ? byDefault : "all";
    const value = name === "sort" ? sort || off : (filters[name] ?? off);
    put(name, value === byDefault ? "" : value);
  }
  put("columns", columns.length === 0 ? DEFAULT_COLUMNS : columns.join("."));
  return fresh;
}

export function useSavedViews(shown: Shown) {
  const { site, list } = shown;
  const [isWanted, setWanted] = useState(false);
  const [, setParams] = useSearchParams();
  const queries = useQueryClient();
  const options = viewsQuery(site, list);
  const { data, error } = useQuery({ ...options, enabled: isWanted && site !== "" && list !== "" });
  const person = queries.getQueryData(sessionQuery.queryKey);
  const refresh = () => void queries.invalidateQueries({ queryKey: ["saved-views"] });
  const bodyOf = (name: string, is_shared: boolean): SavedViewIn => ({
    site,
    list_name: list,
    name,
    is_shared,
    ...savedOf(shown),
  });
  const save = useMutation({
    mutationFn: ({ name, isShared }: { name: string; isShared: boolean }) =>
      unwrap(client.POST("/api/v1/saved-views", { body: bodyOf(name, isShared) })),
    onSettled: refresh,
  });
  const replace = useMutation({
    mutationFn: ({ id, name, is_shared }: SavedView) =>
      unwrap(
        client.PUT("/api/v1/saved-views/{id}", { params: { path: { id } }, body: bodyOf(name, is_shared) }),
      ),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) =>
      unwrap(client.DELETE("/api/v1/saved-views/{id}", { params: { path: { id } } })),
    onSettled: refresh,
  });
  const withId = (id: number, act: (view: SavedView) => void) => {
    const view = data?.items.find((item) => item.id === id);
    if (view !== undefined) act(view);
  };
  return {
    /** Undefined until they are read. */
    items: data?.items.map((view) => ({ ...view, unknown: unknownFilters(view, shown) })),
    error,
    canShare: may.shareViews(person),
    isBusy: save.isPending || replace.isPending || remove.isPending,
    read: useCallback(() => setWanted(true), []),
    apply: (id: number) => withId(id, (view) => setParams((old) => applied(view, shown, old))),
    save: (name: string, isShared: boolean, onDone: () => void) =>
      save.mutate({ name, isShared }, { onSuccess: onDone }),
    replace: (id: number) => withId(id, (view) => replace.mutate(view)),
    remove: (id: number) => withId(id, (view) => remove.mutate(view)),
  };
}
