/** Matching of node groups, as on the server, for the live preview. */
import type { Node, NodeGroup } from "@/api/types";
import { compare } from "@/util/compare";

export type GroupNode = Pick<Node, "name" | "role" | "node_number" | "labels" | "kind">;

/** A shell pattern as fnmatch(3) reads it: `*`, `?`, `[a-c]`, `[!a]`; everything else is literal. */
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
    // An inverted range, `[z-a]`, matches nothing.
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

/** Nodes that match every field set, by name; an empty group matches none. */
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

/** Parses names and patterns: `sp01, sp02 sp0*`. */
export const parseNames = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** Parses labels: `quadrant=2, rack=7`; parts without `=` are ignored. */
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

/** `sp*; role compute; numbers 1 to 8`. */
export function describeGroup(group: NodeGroup): string {
  const parts = [];
  if ((group.names ?? []).length > 0) parts.push((group.names ?? []).join(", "));
  if (group.role !== "") parts.push(`role ${group.role}`);
  if (group.number_from != null || group.number_to != null)
    parts.push(`numbers ${group.number_from ?? 0} to ${group.number_to ?? "the last"}`);
  if (Object.keys(group.labels ?? {}).length > 0) parts.push(formatLabels(group.labels));
  return parts.length === 0 ? "no nodes" : parts.join("; ");
}
