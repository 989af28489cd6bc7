/** Numbers in the navigation: root causes and changes awaiting action. */
import { useQuery } from "@tanstack/react-query";
import { countsQuery, overviewQuery } from "@/api/queries";
import { usePast, useRange, useSite } from "@/api/scope";
import { count } from "@/util/units";

export interface Counts {
  causes: number;
  incidents: number;
  awaiting: number;
  /** Seconds since the alert rules were evaluated, if overdue. */
  lateS: number | null;
}

/** The counts query of every page; on the overview of the present its own query, so that all numbers are of one snapshot. */
export function useCountsQuery(onOverview: boolean) {
  const site = useSite()?.name;
  const isOverview = usePast() === null && onOverview;
  const [range] = useRange();
  const isKnown = site !== undefined;
  const overview = useQuery({
    ...overviewQuery(site ?? "", range),
    enabled: isKnown && isOverview,
    refetchInterval: false,
  });
  const counts = useQuery({ ...countsQuery(site ?? ""), enabled: isKnown && !isOverview });
  return isOverview ? overview : counts;
}

export function useCounts(isOverview: boolean): Counts {
  const { data } = useCountsQuery(isOverview);
  return {
    causes: data?.root_causes ?? 0,
    incidents: data?.open_incidents ?? 0,
    awaiting: data?.awaiting ?? 0,
    lateS: data?.evaluation_late_s ?? null,
  };
}

export interface PageCount {
  readonly number: number;
  readonly title: string;
  /** What is counted, for assistive technology. */
  readonly text: string;
}

/** The number next to a page of the navigation; undefined if it has none or it is zero. */
export function countOf(path: string, { causes, incidents, awaiting }: Counts): PageCount | undefined {
  if (path === "/incidents" && causes > 0)
    return {
      number: causes,
      title: `${count(causes, "root cause")} of ${count(incidents, "unresolved incident")}`,
      text: "root causes",
    };
  if (path === "/changes" && awaiting > 0)
    return {
      number: awaiting,
      title: `${count(awaiting, "change")} to approve, apply or confirm`,
      text: "pending",
    };
  return undefined;
}
