/** Filters and headline of the device list. Pure. */
import type { Node, Port } from "@/api/types";

export interface DeviceFilter {
  readonly q: string;
  readonly state: string;
  readonly kind: string;
}

export function matches(node: Node, { q, state, kind }: DeviceFilter): boolean {
  const text = `${node.name} ${node.title} ${node.role} ${node.management_address ?? ""}`.toLowerCase();
  return (
    (state === "" || node.state === state) &&
    (kind === "" || node.kind === kind) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((term) => text.includes(term))
  );
}

/** How many devices report, and which need attention. */
export function devicesHeadline(nodes: readonly Node[]): string {
  const reporting = nodes.filter(({ state }) => state !== "unknown").length;
  const bad = nodes
    .filter(({ state }) => state === "critical" || state === "warning")
    .map(({ name }) => name);
  const names = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const rest = bad.length === 0 ? "" : ` ${names} ${bad.length === 1 ? "needs" : "need"} attention.`;
  return reporting === nodes.length
    ? `All ${nodes.length} devices report.${rest}`
    : `${reporting} of ${nodes.length} devices report.${rest}`;
}

/** Matches name, fabric or address against the terms of `q`, and the state. */
export function matchesPort(port: Port, { q, state }: { q: string; state: string }): boolean {
  const text = `${port.name} ${port.fabric ?? port.kind} ${port.addresses.join(" ")}`.toLowerCase();
  return (
    (state === "" || port.state === state) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((term) => text.includes(term))
  );
}
