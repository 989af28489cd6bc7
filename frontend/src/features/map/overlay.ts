/**
 * The topology under a simulated failure: failed objects are down, links carry their predicted load. Pure.
 */

import type { Impact, Topology, TopologyLink, TopologyNode } from "@/api/types";
import type { Changed } from "./recentChanges";

type Drawable = Pick<Topology, "nodes" | "links" | "at">;

export interface FailedObject {
  readonly kind: "node" | "link" | "fabric";
  readonly id: number;
}

export interface PredictedLoad {
  readonly bps: number;
  /** 1.42 is 142 % of the usable rate; null: its rate is unknown. */
  readonly utilisation: number | null;
}

/** A failure and its effect, by the names of nodes and the ids of links. */
export interface Simulation {
  readonly failed: readonly FailedObject[];
  readonly cutOff: readonly string[];
  readonly looping: readonly string[];
  readonly moved: readonly string[];
  /** Links whose load differs; a missing half keeps its load. */
  readonly loads: ReadonlyMap<number, { forward?: PredictedLoad; back?: PredictedLoad }>;
  /** Factor of the load of all other links; null: their load at the simulated moment is unknown. */
  readonly others: number | null;
}

export interface SimulatedTopology {
  readonly topology: Drawable;
  /** Nodes that use another gateway and links whose load differs; drawn with a halo. */
  readonly changed: Changed;
}

/** The failure of a plan, which contains the load of the busier direction only: both halves show it. */
export function impactSimulation(impact: Impact): Simulation {
  const { kind, id } = impact;
  return {
    failed: kind === "node" || kind === "link" || kind === "fabric" ? [{ kind, id }] : [],
    cutOff: impact.cut_off,
    looping: impact.looping,
    moved: impact.moved,
    loads: new Map(impact.links.map((load) => [load.link_id, { forward: load, back: load }])),
    others: 1,
  };
}

/** The site under a simulated failure. */
export function under(topology: Drawable, simulation: Simulation): SimulatedTopology {
  const failed = new Set(simulation.failed.map(keyOf));
  const moved = new Set(simulation.moved);
  const fates = fatesOf(topology.nodes, simulation, failed);
  const lost = lostNodes(topology.nodes, failed);
  return {
    topology: {
      ...topology,
      nodes: topology.nodes.map((node) => fates.get(node.key) ?? node),
      links: topology.links.map((link) =>
        goesDown(link, failed, lost) ? downLink(link) : linkUnder(link, topology.at, simulation),
      ),
    },
    changed: {
      nodes: new Set(
        topology.nodes.filter(({ kind, name }) => kind !== "fabric" && moved.has(name)).map(({ id }) => id),
      ),
      links: new Set(simulation.loads.keys()),
    },
  };
}

const keyOf = ({ kind, id }: FailedObject): string => `${kind}:${id}`;

/** Key of a node of the map as a failed object; a fabric has ids of its own. */
export const objectOf = ({ kind, id }: TopologyNode): FailedObject => ({
  kind: kind === "fabric" ? "fabric" : "node",
  id,
});

function fatesOf(
  nodes: readonly TopologyNode[],
  { cutOff, looping, moved }: Simulation,
  failed: ReadonlySet<string>,
): Map<string, TopologyNode> {
  const texts: [ReadonlySet<string>, string][] = [
    [new Set(cutOff), "isolated"],
    [new Set(looping), "routing loop"],
    [new Set(moved), "uses another gateway"],
  ];
  const fates = new Map<string, TopologyNode>();
  for (const node of nodes) {
    const fate = node.kind === "fabric" ? undefined : texts.find(([names]) => names.has(node.name))?.[1];
    const text = failed.has(keyOf(objectOf(node))) ? "fails" : fate;
    if (text !== undefined)
      fates.set(node.key, {
        ...node,
        state: text.startsWith("uses") ? "warning" : "critical",
        state_text: text,
        incidents: 0,
      });
  }
  return fates;
}

/** Keys of failed nodes, and keys and names of failed fabrics, as links refer to them. */
function lostNodes(nodes: readonly TopologyNode[], failed: ReadonlySet<string>) {
  const lost = nodes.filter((node) => failed.has(keyOf(objectOf(node))));
  return {
    keys: new Set(lost.map(({ key }) => key)),
    fabrics: new Set(lost.filter(({ kind }) => kind === "fabric").map(({ name }) => name)),
  };
}

/** Whether a link goes down with the failed objects. */
function goesDown(
  link: TopologyLink,
  failed: ReadonlySet<string>,
  { keys, fabrics }: ReturnType<typeof lostNodes>,
): boolean {
  return (
    failed.has(`link:${link.id}`) ||
    keys.has(link.source) ||
    keys.has(link.target) ||
    fabrics.has(link.fabric)
  );
}

const downLink = (link: TopologyLink): TopologyLink => ({
  ...link,
  state: "critical",
  state_text: "down after the failure",
  carrier: "down",
  carries: "dead",
  forward: null,
  back: null,
  incidents: 0,
});

function linkUnder(link: TopologyLink, at: Drawable["at"], simulation: Simulation): TopologyLink {
  const load = simulation.loads.get(link.id);
  const { others } = simulation;
  if (load === undefined && others === 1) return link;
  const forward = load?.forward ? predicted(load.forward, at) : scaled(link.forward, others);
  const back = load?.back ? predicted(load.back, at) : scaled(link.back, others);
  if (load === undefined) return { ...link, forward, back };
  const shares = [load.forward?.utilisation, load.back?.utilisation];
  const isFull = shares.some((share) => (share ?? 0) > 1);
  const bps = (load.forward?.bps ?? 0) + (load.back?.bps ?? 0);
  return {
    ...link,
    state: isFull ? "critical" : "ok",
    state_text: "predicted load",
    carries: bps > 0 ? "active" : link.carries,
    forward,
    back,
    incidents: 0,
  };
}

function predicted({ bps, utilisation }: PredictedLoad, at: Drawable["at"]): TopologyLink["forward"] {
  return { bps, utilisation: utilisation ?? 0, peak_bps: null, at, fresh: utilisation !== null };
}

function scaled(load: TopologyLink["forward"], factor: number | null): TopologyLink["forward"] {
  if (load == null || factor === null) return null;
  return { ...load, bps: Math.round(load.bps * factor), utilisation: load.utilisation * factor };
}
