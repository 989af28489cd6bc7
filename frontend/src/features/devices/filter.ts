/** Headline of the device list. Pure. */
import type { Node } from "@/api/types";

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
