/** Failover matrices: nodes of a policy by its gateways. Pure. */
import type { Path, Policy } from "@/api/types";
import { compare } from "@/util/compare";
import { count } from "@/util/units";

export interface Matrix {
  readonly policy: string;
  readonly prefix: string;
  readonly detection: string;
  readonly note: string;
  /** In order of preference. */
  readonly gateways: readonly string[];
  readonly rows: readonly Path[];
}

/** One matrix per policy, in the order of the policies; nodes by name, or as given. Includes paths whose policy is not listed yet. */
export function matrices(paths: readonly Path[], policies: readonly Policy[], isSorted = false): Matrix[] {
  const byPolicy = Map.groupBy(paths, ({ policy }) => policy);
  const order = policies.map(({ name }) => name);
  return [...byPolicy]
    .sort(([a], [b]) => rankOf(order, a) - rankOf(order, b))
    .map(([name, rows]) => {
      const policy = policies.find((one) => one.name === name);
      return {
        policy: name,
        prefix: policy?.prefix ?? rows[0]?.prefix ?? "",
        detection: policy?.detection ?? "",
        note: policy?.note ?? "",
        gateways: policy?.gateways ?? rows[0]?.gateways.map((gateway) => gateway.name) ?? [],
        rows: isSorted ? rows : rows.toSorted((a, b) => compare(a.node, b.node)),
      };
    });
}

function rankOf(order: readonly string[], name: string): number {
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}

/** Status of a gateway for a node. */
export type GatewayStatus = "active" | "standby" | "dead" | "unprobed";

export function gatewayStatus({ active, alive }: { active: boolean; alive: boolean | null }): GatewayStatus {
  if (alive === false) return "dead";
  if (active) return "active";
  return alive === null ? "unprobed" : "standby";
}

export function pathsHeadline(paths: readonly Path[]): string {
  const fallen = paths.filter(({ on_fallback }) => on_fallback).length;
  const lost = paths.filter(({ active, target_alive }) => active === "" || target_alive === false).length;
  const held = paths.filter(({ hold }) => hold !== null).length;
  const bare = paths.filter((path) =>
    path.gateways.every(({ active, alive }) => active || alive === false),
  ).length;
  if (paths.length === 0) return "No failover policies defined.";
  const parts = [
    fallen === 0
      ? `All ${count(paths.length, "path")} on the preferred gateway`
      : `${fallen} of ${count(paths.length, "path")} on a fallback`,
  ];
  if (lost > 0) parts.push(`${lost} unreachable`);
  if (held > 0) parts.push(`${held} on held nodes`);
  parts.push(bare === 0 ? "all with a working standby" : `${bare} with no working standby`);
  return `${parts.join(", ")}.`;
}
