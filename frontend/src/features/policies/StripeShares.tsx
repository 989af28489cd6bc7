/** Current shares of a stripe, and which gateway takes over after a failure. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type { Policy, PolicyIn, Stripe } from "@/api/types";
import { draftOf } from "./draft";
import classes from "./PoliciesPage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { UtilisationBar } from "@/ui/RateCell";
import { StateLabel } from "@/ui/StateLabel";
import { percent, rate, NEARLY_FULL } from "@/util/units";
import type { StateName } from "@/ui/StateBadge";

const TYPING_PAUSE_MS = 300;

export function StripeShares({ policy }: { policy: Policy }) {
  return (
    <Panel title="Stripe shares" flush>
      <StripePreview draft={draftOf(policy)} />
    </Panel>
  );
}

/** Preview of a draft's shares, calculated by the server's planner. */
export function StripePreview({ draft }: { draft: PolicyIn }) {
  const [settled] = useDebouncedValue(draft, TYPING_PAUSE_MS);
  // The note does not affect shares: editing it sends no request.
  const body = { ...settled, note: "" };
  const preview = useQuery({
    queryKey: ["policies", "stripe", body],
    queryFn: () => unwrap(client.POST("/api/v1/failover-policies/stripe-preview", { body })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <QueryBoundary query={preview} what="the stripe">
      {(stripe) => <Shares stripe={stripe} />}
    </QueryBoundary>
  );
}

function Shares({ stripe: { shares, imbalance } }: { stripe: Stripe }) {
  if (shares.length === 0)
    return <EmptyState title="No shares.">Select nodes and at least two gateways.</EmptyState>;
  return (
    <div
      className={`${classes.scroll} ${classes.shares}`}
      role="region"
      aria-label="Shares of the stripe"
      tabIndex={0}
    >
      <table aria-label="Shares of the stripe">
        <thead>
          <tr>
            <th scope="col">gateway</th>
            <th scope="col" className={classes.figure}>
              nodes
            </th>
            <th scope="col">share</th>
            <th scope="col" className={classes.figure}>
              current load
            </th>
            <th scope="col">utilisation</th>
            <th scope="col">on failure</th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <ShareRow key={share.gateway} share={share} />
          ))}
        </tbody>
      </table>
      <p className="dim">
        {describeBalance(imbalance)} {describeLoss(shares)}
      </p>
    </div>
  );
}

function ShareRow({
  share: { gateway, nodes, share, bps, usable_bps, utilisation, takes_over },
}: {
  share: Share;
}) {
  return (
    <tr data-gateway={gateway}>
      <th scope="row" title={nodes.join(", ")}>
        {gateway}
      </th>
      <td className={classes.figure} data-label="nodes">
        {nodes.length}
      </td>
      <td data-label="share">
        <span className="num">{percent(share)}</span>
      </td>
      <td className={classes.figure} data-label="current load">
        {rate(utilisation === null && bps === 0 ? null : bps)}
      </td>
      <td
        data-label="utilisation"
        title={usable_bps === null ? "The usable rate is unknown" : `Max. direction, of ${rate(usable_bps)}`}
      >
        <span className="num">{percent(utilisation)}</span>
        <UtilisationBar utilisation={utilisation} />
      </td>
      <td data-label="on failure">
        {takes_over.length === 0 && nodes.length > 0 && (
          <StateLabel state="critical" label="isolates its nodes" />
        )}
        {takes_over.map((backup) => (
          <p key={backup.gateway} className={classes.backup}>
            <StateLabel {...backupState(backup)} />
            <span>
              {backup.nodes} to {backup.gateway},{" "}
              {backup.utilisation === null
                ? "load not measured"
                : `then ${rate(backup.bps)}, ${percent(backup.utilisation)}`}
            </span>
          </p>
        ))}
      </td>
    </tr>
  );
}

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
