/**
 * Nodes and links with network events in the last 15 minutes; the map draws a halo around them. Pure.
 */

import type { EventKind, NetworkEvent, Path, Topology } from "@/api/types";

const CHANGED_WITHIN_S = 15 * 60;

/** Event kinds that are changes of the network. */
const NETWORK_KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "path.switched",
  "path.lost",
  "path.dead",
  "path.restored",
  "port.down",
  "port.up",
  "node.stale",
  "node.restarted",
]);

export interface Changed {
  readonly nodes: ReadonlySet<number>;
  readonly links: ReadonlySet<number>;
}

/** Ids of changed nodes and links; `now` in Unix milliseconds of the server's clock. */
export function changedOf(
  events: readonly NetworkEvent[],
  paths: readonly Path[],
  topology: Pick<Topology, "nodes" | "links">,
  now: number,
): Changed {
  const recent = events.filter(
    (event) => NETWORK_KINDS.has(event.kind) && now - Date.parse(event.since) <= CHANGED_WITHIN_S * 1000,
  );
  const gateways = new Set(recent.flatMap(gatewaysOf));
  const keys = new Set(
    topology.nodes
      .filter((node) => node.kind !== "fabric" && gateways.has(node.name))
      .map((node) => node.key),
  );
  const travelled = new Set(
    recentPaths(recent, paths).flatMap((path) => [...path.links, ...path.standby_links]),
  );
  const switched = topology.links.filter(
    (link) => travelled.has(link.id) && (keys.has(link.source) || keys.has(link.target)),
  );
  return {
    nodes: new Set(
      recent.flatMap((event) =>
        event.node_id === null || event.node_id === undefined ? [] : [event.node_id],
      ),
    ),
    links: new Set([
      ...recent.flatMap((event) =>
        event.link_id === null || event.link_id === undefined ? [] : [event.link_id],
      ),
      ...switched.map((link) => link.id),
    ]),
  };
}

/** Gateways before and after a switch; none for the first report of a path. */
function gatewaysOf({ kind, data }: NetworkEvent): string[] {
  if (kind !== "path.switched") return [];
  const [from, to] = [data["from"], data["to"]];
  return typeof from === "string" && from !== "" && typeof to === "string" ? [from, to] : [];
}

function recentPaths(recent: readonly NetworkEvent[], paths: readonly Path[]): Path[] {
  const nodes = new Set(
    recent.filter((event) => event.kind.startsWith("path.")).map((event) => event.node_id),
  );
  return paths.filter((path) => nodes.has(path.node_id));
}
