/** What of the API a page is about, all of it in the URL: the site, the time range, and the page's own filters. */
import { useCallback, useMemo } from "react";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { sitesQuery } from "@/api/queries";
import type { Site } from "@/api/types";
import { DEFAULT_RANGE, type Range } from "@/util/time";

/** Parameters that every move between pages carries along. */
export const CARRIED = ["site", "from", "to"] as const;

/** The site of the URL, else the first that the person may see; undefined until the sites are known. */
export function useSite(): Site | undefined {
  const { data: sites } = useQuery(sitesQuery);
  const [params] = useSearchParams();
  return sites?.find(({ name }) => name === params.get("site")) ?? sites?.[0];
}

/** The time range of the URL and how to change it; the default leaves no trace in the URL. */
export function useRange(): [Range, (next: Range) => void] {
  const [params, setParams] = useSearchParams();
  const from = params.get("from") ?? DEFAULT_RANGE.from;
  const to = params.get("to") ?? DEFAULT_RANGE.to;
  const change = useCallback(
    (next: Range) => {
      setParams((old) => {
        const fresh = new URLSearchParams(old);
        const isDefault = next.from === DEFAULT_RANGE.from && next.to === DEFAULT_RANGE.to;
        set(fresh, "from", isDefault ? "" : next.from);
        set(fresh, "to", isDefault || next.to === "now" ? "" : next.to);
        return fresh;
      });
    },
    [setParams],
  );
  return [useMemo(() => ({ from, to }), [from, to]), change];
}

/** One parameter of the URL with its default; setting the default or an empty text removes it. Replaces, so that Back leaves the page. */
export function useParam<T extends string = string>(name: string, byDefault: NoInfer<T>): [T, (next: T) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (next: T) => {
      setParams(
        (old) => {
          const fresh = new URLSearchParams(old);
          set(fresh, name, next === byDefault ? "" : next);
          return fresh;
        },
        { replace: true },
      );
    },
    [setParams, name, byDefault],
  );
  return [(params.get(name) ?? byDefault) as T, change];
}

/** `target` with the carried parameters of `search`, unless it names its own. */
export function carry(target: string, search: string): string {
  const [path = "", query = ""] = target.split("?");
  const own = new URLSearchParams(query);
  const here = new URLSearchParams(search);
  for (const name of CARRIED) {
    const value = here.get(name);
    if (value !== null && !own.has(name)) own.set(name, value);
  }
  const text = own.toString();
  return text === "" ? path : `${path}?${text}`;
}

function set(params: URLSearchParams, name: string, value: string): void {
  if (value === "") params.delete(name);
  else params.set(name, value);
}
