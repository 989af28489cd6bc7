/** Active gateways and working standbys per policy. Pure. */
import type { Path } from "@/api/types";

export interface Fallback {
  readonly policy: string;
  readonly prefix: string;
  readonly nodes: number;
  readonly preferred: string;
  /** Active gateways and the number of nodes using each. */
  readonly active: readonly { readonly name: string; readonly nodes: number }[];
  readonly onFallback: number;
  /** Nodes whose other gateways are all dead. */
  readonly withoutStandby: number;
}

const hasStandby = (path: Path): boolean =>
  path.gateways.some(({ active, alive }) => !active && alive !== false);

export function fallbacks(paths: readonly Path[]): Fallback[] {
  return [...Map.groupBy(paths, ({ policy }) => policy)].map(([policy, of]) => {
    const inUse = Map.groupBy(of, ({ active }) => active);
    return {
      policy,
      prefix: of[0]?.prefix ?? "",
      preferred: of[0]?.preferred ?? "",
      nodes: of.length,
      active: [...inUse].map(([name, users]) => ({
        name: name === "" ? "no gateway" : name,
        nodes: users.length,
      })),
      onFallback: of.filter(({ on_fallback }) => on_fallback).length,
      withoutStandby: of.filter((path) => !hasStandby(path)).length,
    };
  });
}
