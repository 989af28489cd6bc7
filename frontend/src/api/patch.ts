/** Applies live messages to cached data. Pure: returns new data that shares unchanged parts with the old. */
import type { Pages } from "@/api/list-query";
import type { Link, LinkLoad, NetworkEvent, Overview, Topology, TopologyLink } from "@/api/types";

type Loaded = Pick<TopologyLink, "id" | "forward" | "back">;

function withLoads<T extends Loaded>(links: T[], loads: readonly LinkLoad[]): T[] {
  const byId = new Map(loads.map((load) => [load.id, load]));
  let touched = false;
  const fresh = links.map((link) => {
    const load = byId.get(link.id);
    if (load === undefined) return link;
    touched = true;
    return { ...link, forward: load.forward, back: load.back };
  });
  return touched ? fresh : links;
}

/** The topology with new loads; the same object if the message names none of its links. */
export function patchTopology(topology: Topology, loads: readonly LinkLoad[], at: string): Topology {
  const links = withLoads(topology.links, loads);
  return links === topology.links ? topology : { ...topology, at, links };
}

/** The loaded pages of links with new loads; their order is unchanged until the next refetch. */
export function patchLinks(list: Pages<Link>, loads: readonly LinkLoad[]): Pages<Link> {
  const pages = list.pages.map((page) => {
    const items = withLoads(page.items, loads);
    return items === page.items ? page : { ...page, items };
  });
  return pages.every((page, at) => page === list.pages[at]) ? list : { ...list, pages };
}

export function patchLink(link: Link, loads: readonly LinkLoad[]): Link {
  return withLoads([link], loads)[0] ?? link;
}

export function patchOverview(overview: Overview, loads: readonly LinkLoad[]): Overview {
  const links = withLoads(overview.top_links, loads);
  return links === overview.top_links ? overview : { ...overview, top_links: links };
}

/** Prepends a new event or replaces it in place (an outage is measured after its switch is reported). */
export function prependEvent(list: Pages<NetworkEvent>, event: NetworkEvent): Pages<NetworkEvent> {
  const known = list.pages.some((page) => page.items.some(({ id }) => id === event.id));
  const pages = list.pages.map((page, index) => {
    if (known) return { ...page, items: page.items.map((old) => (old.id === event.id ? event : old)) };
    return index === 0 ? { ...page, items: [event, ...page.items] } : page;
  });
  return { ...list, pages };
}

/** Filters of a list of events; absent means all. */
export interface EventQuery {
  kind?: string;
  node?: string;
  link_id?: number;
  incident_id?: number;
  q?: string;
  start?: string;
  end?: string;
}

/** Whether an event matches a list's filters. Only the server can search text, so lists with `q` are refetched instead. */
export function belongs(event: NetworkEvent, query: EventQuery): boolean {
  return (
    (query.kind === undefined || query.kind === event.kind) &&
    (query.node === undefined || query.node === event.node) &&
    (query.link_id === undefined || query.link_id === event.link_id) &&
    (query.incident_id === undefined || query.incident_id === event.incident_id) &&
    (query.end === undefined || query.end === "now") &&
    query.q === undefined
  );
}
