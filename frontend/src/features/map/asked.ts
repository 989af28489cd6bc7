/**
 * What a person asked the map for, and what then stands out. Filters put the rest back instead of taking it away: the
 * network keeps its shape, and what was asked for is seen in its place. Pure.
 */

import type { Path } from "@/api/types";
import type { Drawn, DrawnLink, DrawnNode } from "./drawn";
import { rules } from "./rules";
import type { Emphasis, Stroke } from "@/ui/graph/scene";

export interface Asked {
  readonly fabric: string;
  /** Least utilisation of the fuller direction, 0..1; 0 asks for nothing. */
  readonly load: number;
  /** Part of a name, in any case. */
  readonly search: string;
  /** Paths of this node; empty is all nodes. */
  readonly node: string;
  /** Paths of this policy; empty is all policies. */
  readonly policy: string;
}

export interface Standing {
  readonly nodes: ReadonlyMap<string, Emphasis>;
  readonly links: ReadonlyMap<string, Emphasis>;
  /** Lines drawn differently for the paths asked for. */
  readonly strokes: ReadonlyMap<string, Stroke>;
}

const NOTHING: Standing = { nodes: new Map(), links: new Map(), strokes: new Map() };

export const asksForPaths = ({ node, policy }: Asked): boolean => node !== "" || policy !== "";
export const asksForLinks = ({ fabric, load, search }: Asked): boolean =>
  fabric !== "" || load > 0 || search !== "";

/** The paths asked for. */
export function askedPaths(asked: Asked, paths: readonly Path[]): Path[] {
  if (!asksForPaths(asked)) return [];
  return paths.filter(
    (path) =>
      (asked.node === "" || path.node === asked.node) &&
      (asked.policy === "" || path.policy === asked.policy),
  );
}

/** What stands out and what stands back. */
export function standing(drawn: Drawn, asked: Asked, paths: readonly Path[]): Standing {
  if (asksForPaths(asked)) return alongPaths(drawn, askedPaths(asked, paths));
  return asksForLinks(asked) ? matching(drawn, asked) : NOTHING;
}

/** How many links answer to the filters. */
export function countMatching(drawn: Drawn, asked: Asked): number {
  const names = new Map(drawn.nodes.map((node) => [node.key, node]));
  return drawn.links.filter((link) => linkMatches(link, asked, names)).length;
}

function alongPaths(drawn: Drawn, paths: readonly Path[]): Standing {
  const active = new Set(paths.flatMap((path) => path.links));
  const standby = new Set(paths.flatMap((path) => path.standby_links).filter((id) => !active.has(id)));
  const links = new Map<string, Emphasis>();
  const strokes = new Map<string, Stroke>();
  const nodes = new Map<string, Emphasis>(drawn.nodes.map((node) => [node.key, "dim"]));
  for (const link of drawn.links) {
    const use = useOf(link, active, standby);
    links.set(link.key, use === null ? "dim" : use === "active" ? "strong" : "normal");
    if (use === null) continue;
    const known = rules.stroke(link);
    strokes.set(link.key, known === "down" || known === "unknown" ? known : use);
    for (const end of [link.source, link.target])
      nodes.set(end, use === "active" || nodes.get(end) === "strong" ? "strong" : "normal");
  }
  return { nodes, links, strokes };
}

function useOf(
  link: DrawnLink,
  active: ReadonlySet<number>,
  standby: ReadonlySet<number>,
): "active" | "standby" | null {
  if (link.members.some((member) => active.has(member.id))) return "active";
  return link.members.some((member) => standby.has(member.id)) ? "standby" : null;
}

function matching(drawn: Drawn, asked: Asked): Standing {
  const byKey = new Map(drawn.nodes.map((node) => [node.key, node]));
  const nodes = new Map<string, Emphasis>(
    drawn.nodes.map((node) => [node.key, nodeMatches(node, asked) ? "normal" : "dim"]),
  );
  const links = new Map<string, Emphasis>();
  for (const link of drawn.links) {
    const found = linkMatches(link, asked, byKey);
    links.set(link.key, found ? "normal" : "dim");
    if (found) for (const end of [link.source, link.target]) nodes.set(end, "normal");
  }
  return { nodes, links, strokes: new Map() };
}

const contains = (text: string, search: string): boolean => text.toLowerCase().includes(search.toLowerCase());

function nodeMatches(node: DrawnNode, { search, fabric, load }: Asked): boolean {
  if (search === "" || fabric !== "" || load > 0) return false;
  return (
    contains(node.name, search) ||
    node.members.some((member) => contains(member.name, search) || contains(member.title, search))
  );
}

function linkMatches(link: DrawnLink, asked: Asked, nodes: ReadonlyMap<string, DrawnNode>): boolean {
  if (asked.fabric !== "" && link.fabric !== asked.fabric) return false;
  if (asked.load > 0 && rules.fullest(link) < asked.load) return false;
  if (asked.search === "") return true;
  const ends = [nodes.get(link.source), nodes.get(link.target)].filter((node) => node !== undefined);
  return (
    link.members.some((member) => contains(member.name, asked.search)) ||
    ends.some((node) => node.members.some((member) => contains(member.name, asked.search)))
  );
}
