/** Which devices a list shows. Pure. */
import type { Node } from "@/api/types";

export interface DeviceFilter {
  readonly q: string;
  readonly state: string;
  readonly kind: string;
}

export function matches(node: Node, { q, state, kind }: DeviceFilter): boolean {
  const text = `${node.name} ${node.title} ${node.role} ${node.management_address ?? ""}`.toLowerCase();
  return (state === "" || node.state === state) && (kind === "" || node.kind === kind) && q.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The headline: what is true of all devices of the site. */
export function devicesHeadline(nodes: readonly Node[]): string {
  const heard = nodes.filter(({ state }) => state !== "unknown").length;
  const bad = nodes.filter(({ state }) => state === "critical" || state === "warning").map(({ name }) => name);
  const names = bad.length > 3 ? `${bad.slice(0, 3).join(", ")} and ${bad.length - 3} more` : bad.join(", ");
  const rest = bad.length === 0 ? "" : ` ${names} ${bad.length === 1 ? "needs" : "need"} attention.`;
  return heard === nodes.length ? `All ${nodes.length} devices are heard.${rest}` : `${heard} of ${nodes.length} devices are heard.${rest}`;
}
