/**
 * Filters of the map and the emphasis that follows. Filters dim the rest instead of removing it, so that the network
 * keeps its shape. Pure.
 */

import type { Path } from "@/api/types";
import type { MapModel, MapLink, MapNode } from "./mapModel";
import { rules } from "./rules";
import type { Emphasis, Stroke } from "@/ui/graph/scene";

export interface MapFilters {
  readonly fabric: string;
  /** Minimum utilisation of the busier direction, 0..1; 0 is no filter. */
  readonly load: number;
  /** Part of a name, in any case. */
  readonly search: string;
  /** Paths of this node; empty is all nodes. */
  readonly node: string;
  /** Paths of this policy; empty is all policies. */
  readonly policy: string;
}

export interface EmphasisMap {
  readonly nodes: ReadonlyMap<string, Emphasis>;
  readonly links: ReadonlyMap<string, Emphasis>;
  /** Line styles of the selected paths. */
  readonly strokes: ReadonlyMap<string, Stroke>;
}

const NOTHING: EmphasisMap = { nodes: new Map(), links: new Map(), strokes: new Map() };

export const hasPathFilter = ({ node, policy }: MapFilters): boolean => node !== "" || policy !== "";
export const hasLinkFilter = ({ fabric, load, search }: MapFilters): boolean =>
  fabric !== "" || load > 0 || search !== "";

/** Paths that match the filters; none without a path filter. */
function selectPaths(filters: MapFilters, paths: readonly Path[]): Path[] {
  if (!hasPathFilter(filters)) return [];
  return paths.filter(
    (path) =>
      (filters.node === "" || path.node === filters.node) &&
      (filters.policy === "" || path.policy === filters.policy),
  );
}

/** Emphasis of every node and link; `route`: link ids of a path between two nodes, which precedes filters. */
export function emphasize(
  model: MapModel,
  filters: MapFilters,
  paths: readonly Path[],
  route: readonly number[] | null = null,
): EmphasisMap {
  if (route !== null) return alongUses(model, { ...NO_USE, active: new Set(route) });
  if (hasPathFilter(filters)) return alongPaths(model, selectPaths(filters, paths));
  return hasLinkFilter(filters) ? matching(model, filters) : NOTHING;
}

/** Number of links that match the filters. */
export function countMatching(model: MapModel, filters: MapFilters): number {
  const names = new Map(model.nodes.map((node) => [node.key, node]));
  return model.links.filter((link) => linkMatches(link, filters, names)).length;
}

const alongPaths = (model: MapModel, paths: readonly Path[]): EmphasisMap => alongUses(model, usesOf(paths));

function alongUses(model: MapModel, uses: Uses): EmphasisMap {
  const links = new Map<string, Emphasis>();
  const strokes = new Map<string, Stroke>();
  const nodes = new Map<string, Emphasis>(model.nodes.map((node) => [node.key, "dim"]));
  for (const link of model.links) {
    const use = useOf(link, uses);
    const isInUse = use === "active" || use === "dead";
    links.set(link.key, use === null ? "dim" : isInUse ? "strong" : "normal");
    if (use === null) continue;
    strokes.set(link.key, strokeOf(link, use));
    for (const end of [link.source, link.target])
      nodes.set(end, isInUse || nodes.get(end) === "strong" ? "strong" : "normal");
  }
  return { nodes, links, strokes };
}

type Use = "active" | "dead" | "standby" | "standby_dead";
type Uses = Record<Use, ReadonlySet<number>>;
const NO_USE: Uses = { active: new Set(), dead: new Set(), standby: new Set(), standby_dead: new Set() };
const STRONGEST: readonly Use[] = ["active", "dead", "standby", "standby_dead"];

/** Links of the selected paths by use. */
function usesOf(paths: readonly Path[]): Uses {
  const [dead, alive] = [paths.filter(isDead), paths.filter((path) => !isDead(path))];
  const lost = paths.filter((path) => path.standby === "dead");
  const ready = paths.filter((path) => path.standby !== "dead");
  return {
    active: new Set(alive.flatMap((path) => path.links)),
    dead: new Set(dead.flatMap((path) => path.links)),
    standby: new Set(ready.flatMap((path) => path.standby_links)),
    standby_dead: new Set(lost.flatMap((path) => path.standby_links)),
  };
}

const isDead = ({ end_to_end }: Path): boolean => end_to_end === "dead";

function useOf({ members }: MapLink, uses: Uses): Use | null {
  return STRONGEST.find((use) => members.some(({ id }) => uses[use].has(id))) ?? null;
}

/** No carrier takes precedence over every path state; a dead path takes precedence over an unknown end. */
function strokeOf(link: MapLink, use: Use): Stroke {
  if (rules.isDown(link)) return "down";
  return use !== "dead" && rules.isUnknown(link) ? "unknown" : use;
}

function matching(model: MapModel, filters: MapFilters): EmphasisMap {
  const byKey = new Map(model.nodes.map((node) => [node.key, node]));
  const nodes = new Map<string, Emphasis>(
    model.nodes.map((node) => [node.key, nodeMatches(node, filters) ? "normal" : "dim"]),
  );
  const links = new Map<string, Emphasis>();
  for (const link of model.links) {
    const found = linkMatches(link, filters, byKey);
    links.set(link.key, found ? "normal" : "dim");
    if (found) for (const end of [link.source, link.target]) nodes.set(end, "normal");
  }
  return { nodes, links, strokes: new Map() };
}

const contains = (text: string, search: string): boolean => text.toLowerCase().includes(search.toLowerCase());

function nodeMatches(node: MapNode, { search, fabric, load }: MapFilters): boolean {
  if (search === "" || fabric !== "" || load > 0) return false;
  return (
    contains(node.name, search) ||
    node.members.some((member) => contains(member.name, search) || contains(member.title, search))
  );
}

function linkMatches(link: MapLink, filters: MapFilters, nodes: ReadonlyMap<string, MapNode>): boolean {
  if (filters.fabric !== "" && link.fabric !== filters.fabric) return false;
  if (filters.load > 0 && rules.fullest(link) < filters.load) return false;
  if (filters.search === "") return true;
  const ends = [nodes.get(link.source), nodes.get(link.target)].filter((node) => node !== undefined);
  return (
    link.members.some((member) => contains(member.name, filters.search)) ||
    ends.some((node) => node.members.some((member) => contains(member.name, filters.search)))
  );
}
