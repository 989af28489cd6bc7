/**
 * The nodes and links of the map, with large roles collapsed into groups. Pure.
 *
 * A group has the worst state of its members, the highest utilisation and the sum of the rates.
 */

import type { State, Topology, TopologyLink, TopologyNode } from "@/api/types";

/** Roles of the cluster with more nodes than this are collapsed into one group. */
export const FOLD_ABOVE = 24;

export interface MapNode {
  readonly key: string;
  readonly name: string;
  readonly kind: string;
  readonly role: string;
  readonly tier: number;
  readonly state: State;
  readonly stateText: string;
  readonly incidents: number;
  /** Its role as a gateway; null: none, or a group. */
  readonly gateway: TopologyNode["gateway"];
  /** Page of the node; null for a group. */
  readonly url: string | null;
  readonly members: readonly TopologyNode[];
}

export interface MapLoad {
  readonly bps: number;
  /** 0..1, of the fullest member. */
  readonly utilisation: number;
  readonly at: string;
}

export interface MapLink {
  readonly key: string;
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly fabric: string;
  /** Sum of the members, bit/s. */
  readonly usableRate: number;
  readonly state: State;
  readonly stateText: string;
  readonly carrier: TopologyLink["carrier"];
  readonly carries: TopologyLink["carries"];
  /** Null without current data. */
  readonly forward: MapLoad | null;
  readonly back: MapLoad | null;
  readonly incidents: number;
  readonly url: string | null;
  readonly members: readonly TopologyLink[];
}

export interface MapModel {
  readonly nodes: readonly MapNode[];
  readonly links: readonly MapLink[];
  /** Roles of the collapsed groups. */
  readonly folded: readonly string[];
}

const WORST: readonly State[] = ["critical", "warning", "unknown", "ok", "disabled"];
/** Of a bundle: a dead path is never hidden by a working one. */
const FIRST_USE: readonly TopologyLink["carries"][] = [
  "dead",
  "active",
  "active_unverified",
  "standby_verified",
  "standby_not_verified",
  "standby_dead",
  "unknown",
];
const FIRST_CARRIER: readonly TopologyLink["carrier"][] = ["down", "admin_down", "unknown"];

/** The worst of some states, in the order of WORST. */
function worst(states: readonly State[]): State {
  return WORST.find((state) => states.includes(state)) ?? "unknown";
}

const linkKey = (id: number): string => `link:${id}`;

/** Builds the model of a topology; roles in `open` stay expanded. */
export function buildMapModel(
  topology: Pick<Topology, "nodes" | "links">,
  open: ReadonlySet<string>,
): MapModel {
  const folded = foldedRoles(topology.nodes, open);
  const keyOf = new Map(
    topology.nodes.map((node) => [
      node.key,
      folded.has(node.role) && node.tier === 0 ? groupKey(node.role) : node.key,
    ]),
  );
  const nodes = gather(topology.nodes, (node) => keyOf.get(node.key) ?? node.key);
  const links = gather(topology.links, (link) => {
    const [source, target] = [keyOf.get(link.source) ?? link.source, keyOf.get(link.target) ?? link.target];
    const bundled = source !== link.source || target !== link.target;
    return bundled ? `bundle:${source}|${target}|${link.fabric}` : linkKey(link.id);
  });
  return {
    nodes: [...nodes].map(([key, members]) => mapNode(key, members)),
    links: [...links].flatMap(([key, members]) => mapLink(key, members, keyOf)),
    folded: [...folded],
  };
}

const groupKey = (role: string): string => `group:${role}`;

function foldedRoles(nodes: readonly TopologyNode[], open: ReadonlySet<string>): Set<string> {
  const byRole = gather(
    nodes.filter((node) => node.tier === 0 && node.kind !== "fabric"),
    (node) => node.role,
  );
  return new Set(
    [...byRole]
      .filter(([role, members]) => members.length > FOLD_ABOVE && !open.has(role))
      .map(([role]) => role),
  );
}

function gather<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** `all 480 ok`, or `2 of 480 critical: sp07 …`. */
function groupText(members: readonly TopologyNode[], state: State): string {
  const bad = members.filter((member) => member.state === state);
  return state === "ok"
    ? `all ${members.length} ok`
    : `${bad.length} of ${members.length} ${state}: ${bad[0]?.name ?? ""}${bad.length > 1 ? " …" : ""}`;
}

function mapNode(key: string, members: readonly TopologyNode[]): MapNode {
  const [first] = members;
  if (!first) throw new Error(`the map node ${key} has no members`);
  const state = worst(members.map((member) => member.state));
  const isGroup = key !== first.key;
  return {
    key,
    name: isGroup ? `${first.role} ×${members.length}` : first.name,
    kind: isGroup ? "group" : first.kind,
    role: first.role,
    tier: first.tier,
    state,
    stateText: isGroup ? groupText(members, state) : first.state_text,
    incidents: sum(members.map((member) => member.incidents)),
    gateway: isGroup ? null : first.gateway,
    url: isGroup ? null : first.url,
    members,
  };
}

function mapLink(
  key: string,
  members: readonly TopologyLink[],
  keyOf: ReadonlyMap<string, string>,
): MapLink[] {
  const [first] = members;
  if (!first) return [];
  const [source, target] = [keyOf.get(first.source) ?? first.source, keyOf.get(first.target) ?? first.target];
  if (source === target) return [];
  const state = worst(members.map((member) => member.state));
  const isBundle = !key.startsWith("link:");
  return [
    {
      key,
      name: isBundle ? `${members.length} links on ${first.fabric}` : first.name,
      source,
      target,
      fabric: first.fabric,
      usableRate: sum(members.map((member) => member.usable_rate)),
      state,
      stateText: isBundle
        ? `${members.filter((member) => member.state === state).length} of ${members.length} ${state}`
        : first.state_text,
      carrier: FIRST_CARRIER.find((one) => members.some((member) => member.carrier === one)) ?? "up",
      carries: FIRST_USE.find((use) => members.some((member) => member.carries === use)) ?? "none",
      forward: together(members.map((member) => member.forward)),
      back: together(members.map((member) => member.back)),
      incidents: sum(members.map((member) => member.incidents)),
      url: isBundle ? null : first.url,
      members,
    },
  ];
}

/** Sum of the fresh loads; null when there is none. */
function together(loads: readonly TopologyLink["forward"][]): MapLoad | null {
  const fresh = loads.filter((load) => load !== null && load !== undefined).filter((load) => load.fresh);
  const [first] = fresh;
  if (!first) return null;
  return {
    bps: sum(fresh.map((load) => load.bps)),
    utilisation: Math.max(...fresh.map((load) => load.utilisation)),
    at: first.at,
  };
}
