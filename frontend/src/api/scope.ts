/** State of a page that its URL holds: site, time range and filters. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { sitesQuery } from "@/api/queries";
import { chosenSite, displayedSite } from "@/api/site-memory";
import type { Site, SiteListed } from "@/api/types";
import { COMPARISONS, daysBefore } from "@/util/comparison";
import { absolute, DEFAULT_RANGE, pastEnd, rangeIn, type Range } from "@/util/time";

/** URL parameters that navigation keeps. */
const CARRIED = ["site", "from", "to"] as const;

/** Sites known to the browser: named by the URL, shown on this page, and chosen last. */
interface SiteHints {
  readonly named: string | null;
  readonly displayed: string | null;
  readonly chosen: string | null;
}

/** Sites whose last report is at most this much older than the newest one count as live; milliseconds. */
const ABOUT_NOW_MS = 120_000;

/** Selects the site: named by the URL, else shown now, else chosen last, else the first live one, else the first. */
export function siteOf(
  sites: readonly SiteListed[],
  { named, displayed, chosen }: SiteHints,
): SiteListed | undefined {
  const known = [named, displayed, chosen]
    .map((name) => sites.find((site) => site.name === name))
    .find((site) => site !== undefined);
  const reportedAt = (site: SiteListed): number =>
    site.last_reported_at === null ? 0 : Date.parse(site.last_reported_at);
  const newest = Math.max(...sites.map(reportedAt));
  return known ?? sites.find((site) => reportedAt(site) >= newest - ABOUT_NOW_MS);
}

/** The page's site; undefined until the sites are loaded. */
export function useSite(): Site | undefined {
  const { data: sites } = useQuery(sitesQuery);
  const [params] = useSearchParams();
  return (
    sites && siteOf(sites, { named: params.get("site"), displayed: displayedSite(), chosen: chosenSite() })
  );
}

/** The URL's time range and its setter; the default is not written to the URL. */
export function useRange(): [Range, (next: Range) => void] {
  const [params, setParams] = useSearchParams();
  const { from, to } = rangeIn(params);
  const change = useCallback(
    (next: Range) => {
      setParams((old) => {
        const fresh = new URLSearchParams(old);
        const isDefault = next.from === DEFAULT_RANGE.from && next.to === DEFAULT_RANGE.to;
        set(fresh, "from", isDefault ? "" : next.from);
        set(fresh, "to", isDefault || next.to === "now" ? "" : next.to);
        fresh.delete(REPLAY);
        return fresh;
      });
    },
    [setParams],
  );
  return [useMemo(() => ({ from, to }), [from, to]), change];
}

/** The moment that pages show while the time range ends in the past. */
export interface Past {
  /** RFC 3339. */
  readonly at: string;
}

/** URL parameter of the map: the moment of its replay, RFC 3339. */
export const REPLAY = "replay";

/** The moment of the replay, else the end of the URL's range; null while that is now. */
export function usePast(): Past | null {
  const [{ to }] = useRange();
  const [replayed] = useParam(REPLAY, "");
  return useMemo(() => {
    const at = Date.parse(replayed);
    return Number.isNaN(at) ? pastOf(to) : { at: new Date(at).toISOString() };
  }, [to, replayed]);
}

/** A relative end is resolved once, so that the page stays at one moment. */
function pastOf(to: string): Past | null {
  const end = pastEnd(to, Date.now() / 1000);
  return end === null ? null : { at: new Date(end * 1000).toISOString() };
}

/** One URL parameter; setting its default or an empty text removes it. Replaces the history entry, so Back leaves the page. */
export function useParam<T extends string = string>(
  name: string,
  byDefault: NoInfer<T>,
): [T, (next: T) => void] {
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

/** Several parameters as in `useParam`; `names` maps them to different names in the URL. */
export function useUrlState<K extends string>(
  defaults: Readonly<Record<K, string>>,
  names: Readonly<Record<string, string>> = {},
): [Record<K, string>, (name: K, next: string) => void] {
  const [params, setParams] = useSearchParams();
  const change = (name: K, next: string) =>
    setParams(
      (old) => {
        const fresh = new URLSearchParams(old);
        set(fresh, names[name] ?? name, next === defaults[name] ? "" : next);
        return fresh;
      },
      { replace: true },
    );
  const values = (Object.keys(defaults) as K[]).map((name): [K, string] => [
    name,
    params.get(names[name] ?? name) ?? defaults[name],
  ]);
  return [Object.fromEntries(values) as Record<K, string>, change];
}

/** `target` with the kept parameters of `search` that it does not set itself. */
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

const DEEPEST = 20; // brushes

/** Keeps the ranges before each brush so that `back` and Escape restore them. */
export function useZoom(): { range: Range; zoom: (start: number, end: number) => void; back: () => void } {
  const [range, setRange] = useRange();
  const stack = useRef<Range[]>([]);
  const back = () => {
    const before = stack.current.pop();
    if (before !== undefined) setRange(before);
  };
  const zoom = (start: number, end: number) => {
    stack.current = [...stack.current, range].slice(-DEEPEST);
    setRange(absolute(start, end));
  };
  useEscape(back);
  return { range, zoom, back };
}

function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && document.querySelector('[role="dialog"]') === null) onEscape();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

/** The earlier period that a chart is compared with; its days are in the URL. */
export function useComparison(range: Range) {
  const [text, setText] = useParam("compare", "");
  const [now] = useState(() => Date.now() / 1000);
  const days = COMPARISONS.find((item) => String(item.days) === text)?.days ?? 0;
  return {
    /** 0: there is no comparison. */
    days,
    setDays: (next: number) => setText(next === 0 ? "" : String(next)),
    earlier: useMemo(() => daysBefore(range, days, now), [range, days, now]),
  };
}
