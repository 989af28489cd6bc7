/** Which devices a list shows. Pure. */
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
      .every((word) => text.includes(word))
  );
}

/** The headline: what is true of all devices of the site. */
export function devicesHeadline(nodes: readonly Node[]): string {
  const heard = nodes.filter(({ state }) => state !== "unknown").length;
  const bad = nodes
    .filter(({ state }) => state === "critical" || state === "warning")
    .map(({ name }) => name);
  const names = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const rest = bad.length === 0 ? "" : ` ${names} ${bad.length === 1 ? "needs" : "need"} attention.`;
  return heard === nodes.length
    ? `All ${nodes.length} devices are heard.${rest}`
    : `${heard} of ${nodes.length} devices are heard.${rest}`;
}

/** Which of a device's ports are shown: by words in name, fabric or address, and by state. */
export function matchesPort(port: Port, { q, state }: { q: string; state: string }): boolean {
  const text = `${port.name} ${port.fabric ?? port.kind} ${port.addresses.join(" ")}`.toLowerCase();
  return (
    (state === "" || port.state === state) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}
