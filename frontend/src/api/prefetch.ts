/**
 * What a page will ask, asked before it is there. Who one is, which sites there are and how one looks are three journeys to the
 * server, each waiting for the one before, only because each is asked by what the one before lets be drawn. The address and
 * the site shown last are known at once, so all three start together.
 */
import type { QueryClient } from "@tanstack/react-query";
import { sitesQuery, topologyQuery } from "@/api/queries";
import { lastSite } from "@/api/site-memory";

/** Pages that draw the whole site at once. */
const TOPOLOGY_PAGES: ReadonlySet<string> = new Set(["/", "/map"]);

/** Starts the first answers of the page at this address. Nothing is asked for who has not been here: the server would refuse. */
export function prefetch(
  queries: QueryClient,
  { pathname, searchParams }: Pick<URL, "pathname" | "searchParams">,
): void {
  const site = searchParams.get("site") ?? lastSite();
  if (lastSite() === null || site === null) return;
  void queries.prefetchQuery(sitesQuery);
  if (TOPOLOGY_PAGES.has(pathname)) void queries.prefetchQuery(topologyQuery(site));
}
