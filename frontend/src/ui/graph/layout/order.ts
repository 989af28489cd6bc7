/**
 * Order of nodes within each column: a fast, deterministic heuristic against crossing lines.
 *
 * Barycentre sweeps (Sugiyama, Tagawa & Toda 1981) set the order; in small networks neighbouring nodes are then swapped as
 * long as that removes crossings. Nodes of one group stay together and in natural order, because an operator looks for sp07
 * between sp06 and sp08.
 */

import { byName } from "./naturalOrder";
import { swapWhileBetter } from "./swaps";

interface OrderNode {
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly column: number;
}

export type Pair = readonly [string, string];

/** In larger networks single crossings are not visible. */
const SWAP_LIMIT = 80;
const SWEEPS = 4;
/** Sorts unconnected nodes to the bottom. */
const UNLINKED = 2;

/** A unit of ordering: the nodes of a group, or a single node. */
export interface Block {
  readonly name: string;
  readonly members: readonly string[];
}

/** Keys of each column, top to bottom. Column 0 keeps groups whole; the others are free. */
export function orderColumns(nodes: readonly OrderNode[], pairs: readonly Pair[]): string[][] {
  const columns = blocksByColumn(nodes);
  const neighbours = neighbourMap(pairs);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const sequence = sweep % 2 === 0 ? columns.keys() : [...columns.keys()].toReversed();
    for (const index of sequence) sortByBarycentre(columns, index, neighbours);
  }
  if (nodes.length <= SWAP_LIMIT) swapWhileBetter(columns, pairs);
  return columns.map((blocks) => blocks.flatMap((block) => block.members));
}

function blocksByColumn(nodes: readonly OrderNode[]): Block[][] {
  const columns: Map<string, OrderNode[]>[] = [];
  const width = Math.max(-1, ...nodes.map((node) => node.column)) + 1;
  for (let index = 0; index < width; index += 1) columns.push(new Map());
  for (const node of nodes) {
    const blocks = columns[node.column];
    const block = node.column === 0 ? node.group : node.key;
    const members = blocks?.get(block);
    if (members) members.push(node);
    else blocks?.set(block, [node]);
  }
  return columns.map((blocks) =>
    [...blocks.values()]
      .map((members) => members.toSorted((a, b) => byName(a.name, b.name) || byName(a.key, b.key)))
      .map((members) => ({ name: members[0]?.name ?? "", members: members.map((member) => member.key) }))
      .toSorted((a, b) => byName(a.name, b.name)),
  );
}

function neighbourMap(pairs: readonly Pair[]): Map<string, string[]> {
  const neighbours = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const list = neighbours.get(from);
    if (list) list.push(to);
    else neighbours.set(from, [to]);
  };
  for (const [source, target] of pairs) {
    add(source, target);
    add(target, source);
  }
  return neighbours;
}

/** Height of each key, 0..1 of its column: comparable between columns of different length. */
function heights(columns: readonly (readonly Block[])[]): Map<string, number> {
  const result = new Map<string, number>();
  for (const blocks of columns) {
    const keys = blocks.flatMap((block) => block.members);
    keys.forEach((key, row) => result.set(key, (row + 0.5) / keys.length));
  }
  return result;
}

function sortByBarycentre(columns: Block[][], index: number, neighbours: Map<string, string[]>): void {
  const height = heights(columns);
  const own = columns[index] ?? [];
  const ownKeys = new Set(own.flatMap((block) => block.members));
  const centre = (block: Block): number => {
    const linked = block.members.flatMap((key) => neighbours.get(key) ?? []);
    if (linked.length === 0) return UNLINKED;
    const others = linked.filter((key) => !ownKeys.has(key));
    const seen = (others.length > 0 ? others : block.members).map((key) => height.get(key) ?? 0.5);
    return seen.reduce((sum, value) => sum + value, 0) / seen.length;
  };
  const keyed = own.map((block) => ({ block, centre: Math.round(centre(block) * 1e6) }));
  columns[index] = keyed
    .toSorted((a, b) => a.centre - b.centre || byName(a.block.name, b.block.name))
    .map(({ block }) => block);
}
