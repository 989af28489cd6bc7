/** What a node is for in the failover policies: as a gateway, by policy. Pure. */
import type { PathGroup } from "@/api/models/paths";
import type { Policy } from "@/api/types";
import { partOf } from "@/util/units";

export interface GatewayRole {
  readonly policyId: number;
  readonly policy: string;
  readonly prefix: string;
  /** `preferred`, `fallback`, `fallback 2`, or `stripe member`. */
  readonly place: string;
  /** Nodes that prefer it, that use it now, and all nodes with a deployed path of the policy. */
  readonly preferring: number;
  readonly using: number;
  readonly nodes: number;
}

/** The policies that have the node among their gateways; drafts of paths are not counted. */
export function gatewayRoles(
  name: string,
  policies: readonly Policy[],
  groups: readonly PathGroup[],
): GatewayRole[] {
  return policies
    .filter(({ gateways }) => gateways.includes(name))
    .map((policy) => {
      const own = groups.filter((group) => group.policy_id === policy.id && group.in_force !== false);
      const number = (some: readonly PathGroup[]) => some.reduce((sum, { paths }) => sum + paths, 0);
      return {
        policyId: policy.id,
        policy: policy.name,
        prefix: policy.prefix,
        place: placeOf(name, policy),
        preferring: number(own.filter(({ preferred }) => preferred === name)),
        using: number(own.filter(({ active }) => active === name)),
        nodes: number(own),
      };
    });
}

function placeOf(name: string, { gateways, stripe }: Pick<Policy, "gateways" | "stripe">): string {
  if (stripe !== null) return "stripe member";
  const place = gateways.indexOf(name);
  if (place === 0) return "preferred";
  return gateways.length === 2 ? "fallback" : `fallback ${place}`;
}

/** `7 of 8 nodes`; a policy that is on no node yet has none. `isWhole`: all groups are loaded. */
export function usageText(using: number, nodes: number, isWhole: boolean): string {
  if (nodes === 0) return isWhole ? "not deployed" : "unknown";
  return `${isWhole ? "" : "at least "}${partOf(using, nodes, "node")}`;
}
