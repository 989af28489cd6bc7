/** How a stripe spreads its nodes now: each gateway's part, and who takes over what when it is lost. */
import { useQuery } from "@tanstack/react-query";
import { client, take } from "@/api/client";
import type { Policy, PolicyIn, Stripe } from "@/api/types";
import { draftOf } from "./draft";
import classes from "./PoliciesPage.module.css";
import { Answer } from "@/ui/Answer";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { UtilisationBar } from "@/ui/RateCell";
import { percent, rate } from "@/util/units";

export function StripeShares({ policy }: { policy: Policy }) {
  return (
    <Panel title="The stripe now" flush>
      <StripePreview draft={draftOf(policy)} />
    </Panel>
  );
}

/** Asks the server for the draft as it stands: the one who plans is the one who previews. */
export function StripePreview({ draft }: { draft: PolicyIn }) {
  const preview = useQuery({
    queryKey: ["policies", "stripe", draft],
    queryFn: () => take(client.POST("/api/v1/failover-policies/stripe-preview", { body: draft })),
    retry: false,
  });
  return (
    <Answer asked={preview} what="the stripe">
      {(stripe) => <Shares stripe={stripe} />}
    </Answer>
  );
}

function Shares({ stripe: { shares, imbalance } }: { stripe: Stripe }) {
  if (shares.length === 0) return <EmptyState title="No share to show.">Choose nodes and at least two gateways.</EmptyState>;
  return (
    <div className={classes.ways} role="region" aria-label="Shares of the stripe" tabIndex={0}>
      <table aria-label="Shares of the stripe">
        <thead>
          <tr>
            <th scope="col">gateway</th>
            <th scope="col" className={classes.figure}>nodes</th>
            <th scope="col">share</th>
            <th scope="col" className={classes.figure}>load today</th>
            <th scope="col">if it is lost</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ gateway, nodes, share, bps, if_lost }) => (
            <tr key={gateway} data-gateway={gateway}>
              <th scope="row" title={nodes.join(", ")}>{gateway}</th>
              <td className={classes.figure}>{nodes.length}</td>
              <td>
                <span className="num">{percent(share)}</span>
                <UtilisationBar utilisation={share} />
              </td>
              <td className={classes.figure}>{rate(bps)}</td>
              <td>{Object.entries(if_lost).map(([other, number]) => `${number} to ${other}`).join(", ") || "its nodes are cut off"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="dim">The largest share is {percent(imbalance)} above the mean.</p>
    </div>
  );
}
