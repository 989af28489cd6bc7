/** Trends of the links on the screen, from those of their ports. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { linkTrends, MOST_TREND_PORTS, portsOf, portTrendsQuery } from "@/api/ports/trends";
import { useRange } from "@/api/scope";
import type { Link } from "@/api/types";
import { useRenderedRows, useTrends } from "@/ui/chart/TrendColumn";

/** Links of one request. */
const MOST_LINKS = MOST_TREND_PORTS / 2;

/** For the provider around the table of these links. */
export function useLinkTrends(site: string, links: readonly Link[]) {
  const [range] = useRange();
  const { rows, onRendered } = useRenderedRows();
  const shown = useMemo(() => {
    const rendered = new Set(rows);
    return links.filter(({ id }) => rendered.has(id)).slice(0, MOST_LINKS);
  }, [links, rows]);
  const { data } = useQuery(portTrendsQuery(site, portsOf(shown), range));
  const found = useMemo(() => (data === undefined ? null : linkTrends(shown, data)), [shown, data]);
  return useTrends(found, onRendered);
}
