/**
 * The nodes and links of the map, with groups collapsed into one node and their links into bundles. Pure.
 *
 * A group has the worst state of its members and of the links between them, so that no fault is hidden in it; a bundle
 * has the highest utilisation and the sum of the rates. Unchanged items of the previous model are reused.
 */

import type { State, TopologyLink, TopologyNode } from "@/api/types";
import { count } from "@/util/units";
import { groupKey, type Groups, type Network, roleGroups } from "./nodeGroups";

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
  /** Links between the members of a group; they are not drawn while it is closed. */
  readonly inner: readonly TopologyLink[];
  /** Id of the group that it is, or of the open group that it belongs to. */
  readonly group: string | null;
  /** Key of the open group in whose frame it is drawn; the open group itself included. */
  readonly box: string | null;
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
  readonly nodeOf: ReadonlyMap<string, MapNode>;
  readonly linkOf: ReadonlyMap<string, MapLink>;
  /** Ids of the collapsed groups. */
  readonly folded: readonly string[];
  /** Whether open groups keep their place. */
  readonly inPlace: boolean;
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
/** Names in a text about several members. */
const MOST_NAMES = 3;

/** The worst of some states, in the order of WORST. */
function worst(states: readonly State[]): State {
  return WORST.find((state) => states.includes(state)) ?? "unknown";
}

export const isLinkDown = ({ carrier }: Pick<TopologyLink, "carrier">): boolean =>
  carrier === "down" || carrier === "admin_down";

const linkKey = (id: number): string => `link:${id}`;

/** Builds the model of a topology; groups in `open` are expanded. `before`: the previous model, for reuse. */
export function buildMapModel(
  topology: Network,
  open: ReadonlySet<string>,
  groups: Groups = roleGroups(topology.nodes),
  before?: MapModel,
): MapModel {
  const keyOf = new Map(
    [...groups.idOf].flatMap(([key, id]): [string, string][] => (open.has(id) ? [] : [[key, groupKey(id)]])),
  );
  const drawnAs = (key: string): string => keyOf.get(key) ?? key;
  const inner = gather(topology.links, ({ source, target }) => {
    const id = groups.idOf.get(source);
    return id !== undefined && id === groups.idOf.get(target) ? id : "";
  });
  const nodes: MapNode[] = [];
  for (const [key, members] of gather(topology.nodes, (node) => drawnAs(node.key))) {
    const id = groups.idOf.get(members[0]?.key ?? "") ?? null;
    const box = id !== null && groups.inPlace && open.has(id) ? groupKey(id) : null;
    nodes.push(mapNode({ key, members, inner: inner.get(id ?? "") ?? [], id, box, groups }, before));
  }
  nodes.push(...openGroups(topology.nodes, open, groups, inner, before));
  const links = gather(topology.links, (link) => drawnKey(link, drawnAs, groups.inPlace));
  const drawn = [...links].flatMap(([key, members]) => mapLink(key, members, drawnAs, before));
  return {
    nodes,
    links: drawn,
    nodeOf: new Map(nodes.map((node) => [node.key, node])),
    linkOf: new Map(drawn.map((link) => [link.key, link])),
    folded: [...groups.names.keys()].filter((id) => !open.has(id)),
    inPlace: groups.inPlace,
  };
}

/** A builder that reuses what its previous model has in common with the next. */
export function modelBuilder(): (network: Network, open: ReadonlySet<string>, groups: Groups) => MapModel {
  let last: MapModel | undefined;
  return (network, open, groups) => (last = buildMapModel(network, open, groups, last));
}

/** The nodes that stand for the open groups of a large site, in the corner of their frame. */
function openGroups(
  nodes: readonly TopologyNode[],
  open: ReadonlySet<string>,
  groups: Groups,
  inner: ReadonlyMap<string, TopologyLink[]>,
  before?: MapModel,
): MapNode[] {
  if (!groups.inPlace || open.size === 0) return [];
  const members = gather(nodes, (node) => groups.idOf.get(node.key) ?? "");
  return [...open].flatMap((id) => {
    const own = members.get(id);
    const key = groupKey(id);
    const given = { key, inner: inner.get(id) ?? [], id, box: key, groups };
    return own ? [mapNode({ ...given, members: own }, before)] : [];
  });
}

/** Key of the line that draws a link; in a large site both directions of travel share a bundle. */
function drawnKey(link: TopologyLink, drawnAs: (key: string) => string, inPlace: boolean): string {
  const [source, target] = [drawnAs(link.source), drawnAs(link.target)];
  if (source === link.source && target === link.target) return linkKey(link.id);
  const [from, to] = inPlace && source > target ? [target, source] : [source, target];
  return `bundle:${from}|${to}|${link.fabric}`;
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

const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

/** `sp07, sp09, sp11 and 4 more`. */
export function listNames(items: readonly { readonly name: string }[]): string {
  const named = items.slice(0, MOST_NAMES).map(({ name }) => name);
  return `${named.join(", ")}${items.length > MOST_NAMES ? ` and ${items.length - MOST_NAMES} more` : ""}`;
}

type Stateful = Pick<TopologyNode, "name" | "state">;

/** `2 of 480 critical: sp07, sp09`, for every state that is not in order. */
function faultsText(members: readonly Stateful[]): string[] {
  return WORST.filter((state) => state !== "ok" && state !== "disabled").flatMap((state) => {
    const bad = members.filter((member) => member.state === state);
    return bad.length === 0 ? [] : [`${bad.length} of ${members.length} ${state}: ${listNames(bad)}`];
  });
}

/** Faults of the links within a group, most severe first, as the map of a small site would draw them. */
const LINK_FAULTS: readonly {
  readonly state: State;
  readonly applies: (link: TopologyLink) => boolean;
  readonly text: (links: string) => string;
}[] = [
  { state: "critical", applies: ({ state }) => state === "critical", text: (links) => `${links} critical` },
  {
    state: "critical",
    applies: ({ carries }) => carries === "dead",
    text: (links) => `${links} of dead paths`,
  },
  { state: "warning", applies: isLinkDown, text: (links) => `${links} down` },
  {
    state: "warning",
    applies: ({ state }) => state === "warning",
    text: (links) => `${links} with a warning`,
  },
  {
    state: "warning",
    applies: ({ carries }) => carries === "standby_dead",
    text: (links) => `${links} of dead standbys`,
  },
];

export const hasLinkFault = (link: TopologyLink): boolean => LINK_FAULTS.some(({ applies }) => applies(link));

/** Which members and inner links of a group are not in order, and how many; `all 480 ok`. */
function groupText(members: readonly TopologyNode[], inner: readonly TopologyLink[]): string {
  const faulty = inner.filter(hasLinkFault);
  const parts = LINK_FAULTS.flatMap(({ applies, text }, index) => {
    // A critical link that is down is reported as down.
    const own = faulty.filter((link) => applies(link) && (index !== 0 || !isLinkDown(link)));
    return own.length === 0 ? [] : [`${text(count(own.length, "link"))}: ${listNames(own)}`];
  });
  const all = [...faultsText(members), ...parts];
  if (all.length > 0) return all.join("; ");
  const disabled = members.filter(({ state }) => state === "disabled").length;
  return disabled === 0 ? `all ${members.length} ok` : `${disabled} of ${members.length} disabled`;
}

/** The worst state of the members and of the faults between them, with or without an incident. */
function groupState(members: readonly TopologyNode[], inner: readonly TopologyLink[]): State {
  const faults = LINK_FAULTS.filter(({ applies }) => inner.some(applies)).map(({ state }) => state);
  return worst([...members.map(({ state }) => state), ...faults]);
}

interface NodeInput {
  readonly key: string;
  readonly members: readonly TopologyNode[];
  readonly inner: readonly TopologyLink[];
  readonly id: string | null;
  readonly box: string | null;
  readonly groups: Groups;
}

function mapNode({ key, members, inner, id, box, groups }: NodeInput, before?: MapModel): MapNode {
  const [first] = members;
  if (!first) throw new Error(`the map node ${key} has no members`);
  const isGroup = key !== first.key;
  const tier = members.reduce((least, member) => Math.min(least, member.tier), first.tier);
  const old = before?.nodeOf.get(key);
  const within = isGroup ? inner : [];
  if (old && old.box === box && old.group === id && isSame(old.members, members) && isSame(old.inner, within))
    return old;
  return {
    key,
    name: isGroup ? `${groups.names.get(id ?? "") ?? first.role} ×${members.length}` : first.name,
    kind: isGroup ? "group" : first.kind,
    // The same whatever the order of the nodes is.
    role: isGroup ? leastRole(members, tier) : first.role,
    tier,
    state: isGroup ? groupState(members, inner) : first.state,
    stateText: isGroup ? groupText(members, inner) : first.state_text,
    incidents: sum([...members, ...within].map((member) => member.incidents)),
    gateway: isGroup ? null : first.gateway,
    url: isGroup ? null : first.url,
    members,
    inner: within,
    group: id,
    box,
  };
}

/** The first role by name in a tier. */
function leastRole(members: readonly TopologyNode[], tier: number): string {
  const roles = members.filter((member) => member.tier === tier).map(({ role }) => role);
  return roles.reduce((least, role) => (role < least ? role : least));
}

function mapLink(
  key: string,
  members: readonly TopologyLink[],
  drawnAs: (key: string) => string,
  before?: MapModel,
): MapLink[] {
  const [first] = members;
  if (!first) return [];
  const ends = [drawnAs(first.source), drawnAs(first.target)] as const;
  if (ends[0] === ends[1]) return [];
  const old = before?.linkOf.get(key);
  if (old && isSame(old.members, members)) return [old];
  const isBundle = !key.startsWith("link:");
  const [source, target] = isBundle && !key.startsWith(`bundle:${ends[0]}|`) ? [ends[1], ends[0]] : ends;
  const isForward = (member: TopologyLink): boolean => drawnAs(member.source) === source;
  const state = worst(members.map((member) => member.state));
  const bad = members.filter((member) => member.state === state);
  return [
    {
      key,
      name: isBundle ? `${count(members.length, "link")} on ${first.fabric}` : first.name,
      source,
      target,
      fabric: first.fabric,
      usableRate: sum(members.map((member) => member.usable_rate)),
      state,
      stateText: isBundle
        ? `${bad.length} of ${members.length} ${state}${state === "ok" ? "" : `: ${listNames(bad)}`}`
        : first.state_text,
      carrier: FIRST_CARRIER.find((one) => members.some((member) => member.carrier === one)) ?? "up",
      carries: FIRST_USE.find((use) => members.some((member) => member.carries === use)) ?? "none",
      forward: together(members.map((member) => (isForward(member) ? member.forward : member.back))),
      back: together(members.map((member) => (isForward(member) ? member.back : member.forward))),
      incidents: sum(members.map((member) => member.incidents)),
      url: isBundle ? null : first.url,
      members,
    },
  ];
}

/** Traffic that leaves and enters a group, and the capacity of its uplinks. */
export interface Uplink {
  readonly links: number;
  readonly usableRate: number;
  readonly out: MapLoad | null;
  readonly in: MapLoad | null;
}

/** The summed load of the links between a group and the rest of the map. */
export function uplinkOf(model: MapModel, { key, box }: MapNode): Uplink {
  const isOwn = (end: string): boolean => end === key || (box !== null && model.nodeOf.get(end)?.box === box);
  const sides = model.links.flatMap((link) => {
    const [source, target] = [isOwn(link.source), isOwn(link.target)];
    if (source === target) return [];
    return [{ link, out: source ? link.forward : link.back, in: source ? link.back : link.forward }];
  });
  return {
    links: sum(sides.map(({ link }) => link.members.length)),
    usableRate: sum(sides.map(({ link }) => link.usableRate)),
    out: addLoads(sides.map((side) => side.out)),
    in: addLoads(sides.map((side) => side.in)),
  };
}

function addLoads(loads: readonly (MapLoad | null)[]): MapLoad | null {
  const known = loads.filter((load) => load !== null);
  const [first] = known;
  if (!first) return null;
  return {
    bps: sum(known.map(({ bps }) => bps)),
    utilisation: known.reduce((most, { utilisation }) => Math.max(most, utilisation), 0),
    at: first.at,
  };
}

/** Sum of the fresh loads; null when there is none. */
function together(loads: readonly TopologyLink["forward"][]): MapLoad | null {
  return addLoads(loads.flatMap((load) => (load != null && load.fresh ? [load] : [])));
}
