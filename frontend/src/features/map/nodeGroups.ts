/**
 * Groups of nodes that the map draws as one symbol while they are closed. Pure; depends on the network, not on its state.
 *
 * A small site groups the nodes of a large role. A large site groups by rack: nodes with the same value of a label, else
 * nodes that share a switch, and the switches that serve one group only. What is left over is grouped by role.
 */
import type { Topology, TopologyNode } from "@/api/types";
import { compare } from "@/util/compare";

/** Sites with more nodes than this are drawn as racks that open in their place. */
export const AGGREGATE_ABOVE = 1000;
/** Roles of the cluster with more nodes than this are collapsed into one group. */
export const FOLD_ABOVE = 24;
/** Fewer nodes than this are drawn separately. */
const SMALLEST_GROUP = 3;

export type Network = Pick<Topology, "nodes" | "links">;

/** A label chosen for grouping: its name, and the values by node id. */
export interface NodeLabel {
  readonly name: string;
  readonly values: ReadonlyMap<number, string>;
}

export interface Groups {
  /** Group id by node key; absent: drawn separately. */
  readonly idOf: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  /** Whether an open group keeps its place and frames its members; else the members join the layout. */
  readonly inPlace: boolean;
}

export const isLarge = (nodes: readonly TopologyNode[]): boolean => nodes.length > AGGREGATE_ABOVE;

export const groupKey = (id: string): string => `group:${id}`;

/** The groups of a site; `label` only has an effect in a large one. */
export function siteGroups(network: Network, label: NodeLabel | null): Groups {
  return isLarge(network.nodes) ? rackGroups(network, label) : roleGroups(network.nodes);
}

/** One group for each role of the cluster with many nodes. */
export function roleGroups(nodes: readonly TopologyNode[]): Groups {
  const cluster = nodes.filter(isHost);
  const sizes = countBy(cluster.map(({ role }) => role));
  const folded = cluster.filter(({ role }) => (sizes.get(role) ?? 0) > FOLD_ABOVE);
  return {
    idOf: new Map(folded.map(({ key, role }) => [key, role])),
    names: new Map(folded.map(({ role }) => [role, role])),
    inPlace: false,
  };
}

const isHost = ({ tier, kind }: TopologyNode): boolean => tier === 0 && kind !== "fabric";
const isSwitch = ({ tier }: TopologyNode): boolean => tier === 1;

function countBy(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function rackGroups(network: Network, label: NodeLabel | null): Groups {
  const wiring = wiringOf(network);
  const [idOf, names] = [new Map<string, string>(), new Map<string, string>()];
  const join = (node: TopologyNode, id: string, name: string): void => {
    idOf.set(node.key, id);
    names.set(id, name);
  };
  for (const node of network.nodes) {
    const value = node.kind === "fabric" ? undefined : label?.values.get(node.id);
    if (value !== undefined && node.tier <= 1)
      join(node, `label:${encodeURIComponent(value)}`, `${label?.name ?? ""} ${value}`);
    else if (isHost(node)) {
      const shared = sharedSwitch(node, wiring);
      if (shared !== undefined) join(node, `switch:${shared.key}`, shared.name);
    }
  }
  for (const [node, hosts] of wiring.hostsOf) {
    const ids = new Set([...hosts].map((key) => idOf.get(key)));
    const [id] = ids;
    if (node.kind === "fabric" || idOf.has(node.key) || ids.size !== 1 || id === undefined) continue;
    join(node, id, names.get(id) ?? "");
  }
  dropSmall(idOf);
  foldRest(network.nodes, join, idOf);
  const used = new Set(idOf.values());
  return { idOf, names: new Map([...names].filter(([id]) => used.has(id))), inPlace: true };
}

interface Wiring {
  /** Switches and fabrics of each cluster node. */
  readonly switchesOf: ReadonlyMap<string, ReadonlySet<TopologyNode>>;
  /** Cluster nodes of each switch and fabric. */
  readonly hostsOf: ReadonlyMap<TopologyNode, ReadonlySet<string>>;
}

function wiringOf({ nodes, links }: Network): Wiring {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const switchesOf = new Map<string, Set<TopologyNode>>();
  const hostsOf = new Map<TopologyNode, Set<string>>();
  const attach = (host: TopologyNode, node: TopologyNode): void => {
    if (!isHost(host) || !isSwitch(node)) return;
    addTo(switchesOf, host.key, node);
    addTo(hostsOf, node, host.key);
  };
  for (const { source, target } of links) {
    const [one, other] = [byKey.get(source), byKey.get(target)];
    if (one === undefined || other === undefined) continue;
    attach(one, other);
    attach(other, one);
  }
  return { switchesOf, hostsOf };
}

function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}

/** The switch with the fewest cluster nodes, of at least two; by name among equals. */
function sharedSwitch(host: TopologyNode, { switchesOf, hostsOf }: Wiring): TopologyNode | undefined {
  const size = (node: TopologyNode): number => hostsOf.get(node)?.size ?? 0;
  let best: TopologyNode | undefined;
  for (const node of switchesOf.get(host.key) ?? []) {
    if (size(node) < 2) continue;
    const isBetter =
      best === undefined ||
      size(node) - size(best) < 0 ||
      (size(node) === size(best) && isBefore(node, best));
    if (isBetter) best = node;
  }
  return best;
}

const isBefore = (one: TopologyNode, other: TopologyNode): boolean =>
  (compare(one.name, other.name) || compare(one.key, other.key)) < 0;

function dropSmall(idOf: Map<string, string>): void {
  const sizes = countBy(idOf.values());
  for (const [key, id] of idOf) if ((sizes.get(id) ?? 0) < SMALLEST_GROUP) idOf.delete(key);
}

/** Groups what no rack contains by tier and role, so that hundreds of spines are one symbol too. */
function foldRest(
  nodes: readonly TopologyNode[],
  join: (node: TopologyNode, id: string, name: string) => void,
  idOf: ReadonlyMap<string, string>,
): void {
  const rest = nodes.filter(({ key, kind }) => kind !== "fabric" && !idOf.has(key));
  const idFor = ({ tier, role }: TopologyNode): string => `role:${tier}:${encodeURIComponent(role)}`;
  const sizes = countBy(rest.map(idFor));
  for (const node of rest) if ((sizes.get(idFor(node)) ?? 0) > FOLD_ABOVE) join(node, idFor(node), node.role);
}
