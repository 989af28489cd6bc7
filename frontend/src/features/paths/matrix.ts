/** Failover matrices: nodes of a policy by its gateways. Pure. */
import type { Path, Policy } from "@/api/types";
import { factSpec } from "@/ui/FactMark";
import { isPreferred, isRerouted } from "@/util/paths";
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

/** One matrix per policy, in the order of the policies; paths as listed. Includes paths whose policy is not listed yet. */
export function matrices(paths: readonly Path[], policies: readonly Policy[]): Matrix[] {
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
        rows,
      };
    });
}

function rankOf(order: readonly string[], name: string): number {
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}

/** `7 of 10 paths on a fallback, 2 dead, 3 with standby not verified.` */
export function pathsHeadline(listed: readonly Path[]): string {
  if (listed.length === 0) return "No failover policies defined.";
  const paths = listed.filter(({ in_force }) => in_force);
  if (paths.length === 0) return "No policy is deployed yet: all paths are of drafts.";
  const number = (matches: (path: Path) => boolean): number => paths.filter(matches).length;
  const fallen = number(isRerouted);
  const preferred = number(isPreferred);
  const parts = [
    ...(fallen > 0
      ? [`${fallen} of ${count(paths.length, "path")} on a fallback`]
      : [
          `${preferred === paths.length ? "All" : `${preferred} of`} ${count(paths.length, "path")} on the preferred gateway`,
        ]),
    ...(["dead", "unverified", "unknown"] as const).flatMap((state) => {
      const those = number(({ end_to_end }) => end_to_end === state);
      return those === 0 ? [] : [`${those} ${factSpec("end_to_end", state).label}`];
    }),
  ];
  const held = number(({ hold }) => hold !== null);
  if (held > 0) parts.push(`${held} on held nodes`);
  const drafts = listed.length - paths.length;
  if (drafts > 0) parts.push(`${count(drafts, "path")} of drafts`);
  return `${[...parts, ...standbyParts(paths)].join(", ")}.`;
}

function standbyParts(paths: readonly Path[]): string[] {
  const verified = paths.every(({ standby }) => standby === "verified");
  if (verified) return [`all with ${factSpec("standby", "verified").label}`];
  return (["dead", "not verified", "none"] as const).flatMap((state) => {
    const those = paths.filter(({ standby }) => standby === state).length;
    return those === 0 ? [] : [`${those} with ${factSpec("standby", state).label}`];
  });
}
