/** Balance of a stripe's shares, and whether its backups can carry the load of a failed gateway. */
import type { Stripe } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { NEARLY_FULL, percent } from "@/util/units";

export type Share = Stripe["shares"][number];
type TakeOver = Share["takes_over"][number];

/** State of a backup; a utilisation of 1 and above exceeds the capacity of its links. */
export function backupState({ utilisation }: Pick<TakeOver, "utilisation">): {
  state: StateName;
  label: string;
} {
  if (utilisation === null) return { state: "unknown", label: "unknown" };
  if (utilisation >= 1) return { state: "critical", label: "overloaded" };
  return utilisation >= NEARLY_FULL
    ? { state: "warning", label: "nearly full" }
    : { state: "ok", label: "sufficient" };
}

export const describeBalance = (imbalance: number): string =>
  imbalance < 0.0005
    ? "The shares are balanced."
    : `The largest share exceeds its target by ${percent(imbalance)}.`;

/** Impact of the worst single gateway failure. */
export function describeLoss(shares: readonly Share[]): string {
  if (shares.some(({ nodes, takes_over }) => nodes.length > 0 && takes_over.length === 0))
    return "A gateway without a backup isolates its nodes on failure.";
  const parts = shares.flatMap(({ gateway, takes_over }) =>
    takes_over.map(({ gateway: backup, utilisation }) => ({ gateway, backup, utilisation })),
  );
  const known = parts.filter(
    (part): part is typeof part & { utilisation: number } => part.utilisation !== null,
  );
  const worst = known.toSorted((a, b) => b.utilisation - a.utilisation)[0];
  if (worst === undefined || known.length < parts.length)
    return "The load of the backups is not measured yet.";
  const { gateway, backup, utilisation } = worst;
  if (utilisation >= 1)
    return `If ${gateway} fails, ${backup} is overloaded at the current load: ${percent(utilisation)}.`;
  return `Any single gateway failure is tolerated at the current load: at most ${percent(utilisation)} on ${backup} if ${gateway} fails.`;
}
