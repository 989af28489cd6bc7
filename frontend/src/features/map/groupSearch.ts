/** Which groups of a large site are open: those that the operator opened, and those that hide what the URL names. Pure. */
import type { Groups, Network } from "./nodeGroups";
import type { MapFilters } from "./mapFilters";

interface Sought {
  readonly selected: string | null;
  readonly filters: Pick<MapFilters, "search" | "node">;
}

/** A search that matches nodes of more groups only marks these. */
const MOST_FOUND = 3;
const LEAST_SEARCH = 2;

/** Groups of the selected node or link, and of the node whose paths are selected. */
export function selectedGroups({ nodes, links }: Network, groups: Groups, sought: Sought): string[] {
  if (!groups.inPlace) return [];
  const { selected, filters } = sought;
  const keys = selected === null ? [] : [selected];
  if (selected?.startsWith("link:") === true) {
    const link = links.find(({ id }) => `link:${id}` === selected);
    if (link) keys.push(link.source, link.target);
  }
  const node = filters.node === "" ? undefined : nodes.find(({ name }) => name === filters.node);
  if (node) keys.push(node.key);
  return unique(keys.map((key) => groups.idOf.get(key)));
}

/** Groups with nodes that a search finds, if it is specific enough to open them. */
export function searchedGroups({ nodes }: Network, groups: Groups, search: string): string[] {
  const text = search.trim().toLowerCase();
  if (!groups.inPlace || text.length < LEAST_SEARCH) return [];
  const exact = nodes.filter(({ name }) => name.toLowerCase() === text);
  const found = exact.length > 0 ? exact : nodes.filter(({ name }) => name.toLowerCase().includes(text));
  const ids = unique(found.map(({ key }) => groups.idOf.get(key)));
  return ids.length <= MOST_FOUND ? ids : [];
}

function unique(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
