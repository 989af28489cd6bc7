/** How a stripe spreads its nodes now: each gateway's part, and who takes over what when it is lost. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client, take } from "@/api/client";
import type { Policy, PolicyIn, Stripe } from "@/api/types";
import { draftOf } from "./draft";
import classes from "./PoliciesPage.module.css";
import { describeBalance, backupState, describeLoss, type Share } from "./shares";
import { Answer } from "@/ui/Answer";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { UtilisationBar } from "@/ui/RateCell";
import { StateWord } from "@/ui/StateWord";
import { percent, rate } from "@/util/units";

const TYPING_PAUSE_MS = 300;

export function StripeShares({ policy }: { policy: Policy }) {
  return (
    <Panel title="The stripe now" flush>
      <StripePreview draft={draftOf(policy)} />
    </Panel>
  );
}

/** Asks the server for the draft as it stands: the one who plans is the one who previews. */
export function StripePreview({ draft }: { draft: PolicyIn }) {
  const [settled] = useDebouncedValue(draft, TYPING_PAUSE_MS);
  // What is noted changes no share: typing it asks nobody.
  const body = { ...settled, note: "" };
  const preview = useQuery({
    queryKey: ["policies", "stripe", body],
    queryFn: () => take(client.POST("/api/v1/failover-policies/stripe-preview", { body })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <Answer asked={preview} what="the stripe">
      {(stripe) => <Shares stripe={stripe} />}
    </Answer>
  );
}

function Shares({ stripe: { shares, imbalance } }: { stripe: Stripe }) {
  if (shares.length === 0)
    return <EmptyState title="No share to show.">Choose nodes and at least two gateways.</EmptyState>;
  return (
    <div
      className={`${classes.ways} ${classes.shares}`}
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
              load today
            </th>
            <th scope="col">of its links</th>
            <th scope="col">if it is lost</th>
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
      <td className={classes.figure} data-label="load today">
        {rate(utilisation === null && bps === 0 ? null : bps)}
      </td>
      <td
        data-label="of its links"
        title={
          usable_bps === null
            ? "What it can pass on is not known"
            : `In the fuller direction, of ${rate(usable_bps)}`
        }
      >
        <span className="num">{percent(utilisation)}</span>
        <UtilisationBar utilisation={utilisation} />
      </td>
      <td data-label="if it is lost">
        {takes_over.length === 0 && nodes.length > 0 && (
          <StateWord state="critical" word="its nodes are cut off" />
        )}
        {takes_over.map((backup) => (
          <p key={backup.gateway} className={classes.backup}>
            <StateWord {...backupState(backup)} />
            <span>
              {backup.nodes} to {backup.gateway},{" "}
              {backup.utilisation === null
                ? "whose load is not measured"
                : `which would carry ${rate(backup.bps)}, ${percent(backup.utilisation)}`}
            </span>
          </p>
        ))}
      </td>
    </tr>
  );
}
