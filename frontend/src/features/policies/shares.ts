/** A stripe's shares in words: how even they are, and whether each backup can carry what it would get. Pure. */
import type { Stripe } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { percent } from "@/util/units";

export type Share = Stripe["shares"][number];
type TakeOver = Share["takes_over"][number];

const NEARLY = 0.8;

/** Whether a backup holds; 1 and above is more than its links can carry. */
export function backupState({ utilisation }: Pick<TakeOver, "utilisation">): {
  state: StateName;
  word: string;
} {
  if (utilisation === null) return { state: "unknown", word: "not known" };
  if (utilisation >= 1) return { state: "critical", word: "full" };
  return utilisation >= NEARLY ? { state: "warning", word: "nearly full" } : { state: "ok", word: "holds" };
}

export const describeBalance = (imbalance: number): string =>
  imbalance < 0.0005
    ? "Every gateway has exactly its due."
    : `The largest share is ${percent(imbalance)} above its due.`;

/** The worst that the loss of one gateway would do. */
export function describeLoss(shares: readonly Share[]): string {
  if (shares.some(({ nodes, takes_over }) => nodes.length > 0 && takes_over.length === 0))
    return "A gateway without a backup cuts its nodes off when it is lost.";
  const parts = shares.flatMap(({ gateway, takes_over }) =>
    takes_over.map(({ gateway: backup, utilisation }) => ({ gateway, backup, utilisation })),
  );
  const known = parts.filter(
    (part): part is typeof part & { utilisation: number } => part.utilisation !== null,
  );
  const worst = known.toSorted((a, b) => b.utilisation - a.utilisation)[0];
  if (worst === undefined || known.length < parts.length)
    return "What each backup would carry is not measured yet.";
  const { gateway, backup, utilisation } = worst;
  if (utilisation >= 1)
    return `Without ${gateway}, ${backup} would be full at today's load: ${percent(utilisation)}.`;
  return `Any one gateway can be lost at today's load: the fullest would be ${backup} without ${gateway}, at ${percent(utilisation)}.`;
}
