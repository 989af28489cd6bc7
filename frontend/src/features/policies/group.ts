/** Groups of nodes as text. */
import type { NodeGroup } from "@/api/types";

export function isEmpty({ names = [], role, number_from, number_to, labels = {} }: NodeGroup): boolean {
  return (
    names.length === 0 &&
    role === "" &&
    number_from == null &&
    number_to == null &&
    Object.keys(labels).length === 0
  );
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
