/** Which nodes a group is for, as the server will decide it, so that the count is there while one types. Pure. */
import type { Node, NodeGroup } from "@/api/types";
import { compare } from "@/util/compare";

export type GroupNode = Pick<Node, "name" | "role" | "node_number" | "labels" | "kind">;

/** A shell pattern as fnmatch(3) reads it: `*`, `?`, `[a-c]`, `[!a]`; everything else is itself. */
export function patternOf(pattern: string): RegExp {
  let out = "";
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at] ?? "";
    const close = sign === "[" ? pattern.indexOf("]", pattern[at + 1] === "!" ? at + 3 : at + 2) : -1;
    if (close !== -1) {
      const inside = pattern
        .slice(at + 1, close)
        .replaceAll("\\", "\\\\")
        .replaceAll("[", "\\[")
        .replace(/^!/, "^");
      out += `[${inside}]`;
      at = close;
    } else out += sign === "*" ? ".*" : sign === "?" ? "." : sign.replace(/[.+^${}()|[\]\\]/, "\\$&");
  }
  try {
    return new RegExp(`^${out}$`, "s");
  } catch {
    // A range the wrong way round, `[z-a]`, fits nothing.
    return /^\b$/;
  }
}

export function isEmpty({ names = [], role, number_from, number_to, labels = {} }: NodeGroup): boolean {
  return (
    names.length === 0 &&
    role === "" &&
    number_from == null &&
    number_to == null &&
    Object.keys(labels).length === 0
  );
}

/** Nodes that fit every part given; an empty group fits none. By name. */
export function members<T extends GroupNode>(group: NodeGroup, nodes: readonly T[]): T[] {
  if (isEmpty(group)) return [];
  const patterns = (group.names ?? []).map(patternOf);
  const low = group.number_from ?? 0;
  const high = group.number_to ?? Infinity;
  const numbered = group.number_from != null || group.number_to != null;
  return nodes
    .filter(
      (node) =>
        (patterns.length === 0 || patterns.some((pattern) => pattern.test(node.name))) &&
        (group.role === "" || node.role === group.role) &&
        (!numbered || (node.node_number !== null && node.node_number >= low && node.node_number <= high)) &&
        Object.entries(group.labels ?? {}).every(([key, value]) => node.labels[key] === value),
    )
    .toSorted((a, b) => compare(a.name, b.name));
}

/** `sp01, sp02 sp0*` as typed, to names and patterns. */
export const parseNames = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** `quadrant=2, rack=7` as typed, to labels; a part without `=` is left out. */
export function parseLabels(text: string): Record<string, string> {
  const parts = text.split(/[\s,]+/).map((part) => part.split("=", 2));
  return Object.fromEntries(
    parts.filter((part): part is [string, string] => part.length === 2 && part[0] !== ""),
  );
}

export const formatLabels = (labels: Readonly<Record<string, string>> = {}): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");

/** A group in words: `sp*, role compute, numbers 1 to 8`. */
export function describeGroup(group: NodeGroup): string {
  const parts = [];
  if ((group.names ?? []).length > 0) parts.push((group.names ?? []).join(", "));
  if (group.role !== "") parts.push(`role ${group.role}`);
  if (group.number_from != null || group.number_to != null)
    parts.push(`numbers ${group.number_from ?? 0} to ${group.number_to ?? "the last"}`);
  if (Object.keys(group.labels ?? {}).length > 0) parts.push(formatLabels(group.labels));
  return parts.length === 0 ? "no node" : parts.join("; ");
}
