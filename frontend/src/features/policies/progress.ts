/** Deployment state of policies. */
import type { Policy } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { count, partOf } from "@/util/units";

type Deployment = Pick<Policy, "nodes" | "progress">;

export function progressTone({ nodes, progress }: Deployment): StateName {
  if (nodes.length > 0 && progress.confirmed === nodes.length) return "ok";
  return progress.confirmed === 0 && progress.outdated === 0 ? "disabled" : "warning";
}

export function policiesHeadline(policies: readonly Deployment[]): string {
  const whole = policies.filter((policy) => progressTone(policy) === "ok").length;
  const outdated = policies.filter(({ progress }) => progress.outdated > 0).length;
  const unmanaged = new Set(policies.flatMap(({ progress }) => progress.not_managed)).size;
  if (policies.length === 0) return "No policies defined.";
  const parts = [`${partOf(whole, policies.length, "policy", "policies")} deployed on every node`];
  if (outdated > 0) parts.push(`${outdated} modified since`);
  if (unmanaged > 0) parts.push(`${count(unmanaged, "node")} not managed`);
  return `${parts.join(", ")}.`;
}
