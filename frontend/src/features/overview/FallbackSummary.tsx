/** Active gateways per policy, dead paths, and whether a working standby exists; all from the overview's snapshot. */
import type { Overview, PastOverview, PolicyPaths } from "@/api/types";
import classes from "./FallbackSummary.module.css";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { factSpec } from "@/ui/FactMark";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { count, grouped, partOf } from "@/util/units";

export type Totals = Pick<
  Overview,
  "paths_total" | "paths_dead" | "paths_on_fallback" | "paths_unknown" | "held_nodes"
>;

export function FallbackSummary({ overview }: { overview: Overview | PastOverview }) {
  return (
    <Panel title="Fallbacks" aside={<Anchor href="/paths">{summaryOf(overview)}</Anchor>} flush>
      {overview.policies.length === 0 ? (
        <EmptyState title="No failover policies defined.">
          List gateways in order of preference under “failover_policies” in the site file and import it.
        </EmptyState>
      ) : (
        <ul>
          {overview.policies.map((policy) => (
            <Row key={policy.policy_id} policy={policy} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ policy }: { policy: PolicyPaths }) {
  const { prefix, nodes, state, state_text, url } = policy;
  return (
    <li className={classes.row} data-policy={policy.policy} data-state={state}>
      <StateBadge state={state} quiet />
      <span>
        <Anchor href={url} className={classes.policy}>
          {policy.policy}
        </Anchor>
        <span className="num dim">
          {" "}
          {prefix}, {count(nodes, "node")}
        </span>
        <br />
        {routeOf(policy)}
      </span>
      <span className={classes.standby}>{state_text}</span>
    </li>
  );
}

/** Dead paths first; every path is in exactly one of the parts. */
export function summaryOf({
  paths_total,
  paths_dead,
  paths_on_fallback,
  paths_unknown,
  held_nodes,
}: Totals): string {
  const parts = [
    paths_dead > 0 ? `${grouped(paths_dead)} ${factSpec("end_to_end", "dead").label}` : "",
    paths_on_fallback > 0 ? `${grouped(paths_on_fallback)} on a fallback` : "",
    paths_unknown > 0 ? `${grouped(paths_unknown)} ${factSpec("end_to_end", "unknown").label}` : "",
  ].filter((part) => part !== "");
  const paths =
    parts.length === 0
      ? `${partOf(paths_total, paths_total, "path")} on their preferred gateway`
      : `${parts.join(", ")} of ${count(paths_total, "path")}`;
  return held_nodes === 0 ? paths : `${paths}, ${count(held_nodes, "node")} held`;
}

/** `via grf1`, `via atmgw (7), grf1 (1), not grf1`: the gateways in use, working or not. */
export function routeOf({
  active,
  preferred,
  rerouted,
}: Pick<PolicyPaths, "active" | "preferred" | "rerouted">): string {
  const names = active.map(({ name, nodes }) => {
    const gateway = name === "" ? "no gateway" : name;
    return active.length === 1 ? gateway : `${gateway} (${nodes})`;
  });
  return `via ${names.join(", ")}${rerouted > 0 && active.length === 1 ? `, not ${preferred}` : ""}`;
}
