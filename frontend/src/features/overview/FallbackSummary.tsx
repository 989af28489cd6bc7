/** Active gateways per policy, and whether a working standby exists. */
import { useQuery } from "@tanstack/react-query";
import { pathsQuery } from "@/api/queries";
import type { Path } from "@/api/types";
import classes from "./FallbackSummary.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { StateBadge, type StateName } from "@/ui/StateBadge";
import { count } from "@/util/units";

export function FallbackSummary({
  site,
  total,
  onFallback,
  held,
}: {
  site: string;
  total: number;
  onFallback: number;
  /** Nodes whose routes are left to an operator. */
  held: number;
}) {
  const paths = useQuery(pathsQuery(site));
  const active =
    onFallback === 0
      ? `${total} of ${total} paths on their preferred gateway`
      : `${onFallback} of ${count(total, "path")} on a fallback`;
  const summary = held === 0 ? active : `${active}, ${count(held, "node")} held`;
  return (
    <Panel title="Fallbacks" aside={<Anchor href="/paths">{summary}</Anchor>} flush>
      <QueryBoundary query={paths} what="the paths">
        {(data) =>
          data.length === 0 ? (
            <EmptyState title="No failover policies defined.">
              List gateways in order of preference under “failover_policies” in the site file and import it.
            </EmptyState>
          ) : (
            <ul>
              {fallbacks(data).map((fallback) => (
                <li key={fallback.policy} className={classes.row}>
                  <StateBadge state={stateOf(fallback)} quiet />
                  <span>
                    <Anchor
                      href={`/paths?policy=${encodeURIComponent(fallback.policy)}`}
                      className={classes.policy}
                    >
                      {fallback.policy}
                    </Anchor>
                    <span className="num dim">
                      {" "}
                      {fallback.prefix}, {count(fallback.nodes, "node")}
                    </span>
                    <br />
                    via{" "}
                    {fallback.active
                      .map(({ name, nodes }) => (fallback.active.length === 1 ? name : `${name} (${nodes})`))
                      .join(", ")}
                    {fallback.onFallback > 0 ? `, not ${fallback.preferred}` : ""}
                  </span>
                  <span className={classes.standby}>{standbyLabel(fallback)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

function stateOf({ onFallback, withoutStandby, verified }: Fallback): StateName {
  if (withoutStandby > 0 || onFallback > 0) return "warning";
  return verified === 0 ? "unknown" : "ok";
}

function standbyLabel({ nodes, withoutStandby, verified }: Fallback): string {
  if (withoutStandby > 0)
    return withoutStandby === nodes ? "no working standby" : `no working standby for ${withoutStandby}`;
  if (verified === nodes) return "standby verified";
  return verified === 0 ? "standby not verified" : `standby verified for ${verified} of ${nodes}`;
}

interface Fallback {
  readonly policy: string;
  readonly prefix: string;
  readonly nodes: number;
  readonly preferred: string;
  /** Active gateways and the number of nodes using each. */
  readonly active: readonly { readonly name: string; readonly nodes: number }[];
  readonly onFallback: number;
  /** Nodes whose other gateways are all dead. */
  readonly withoutStandby: number;
  /** Nodes whose target answers through another gateway too. */
  readonly verified: number;
}

type Standby = NonNullable<Path["gateways"][number]["standby"]>;

const hasStandby = (path: Path, ...states: Standby[]): boolean =>
  path.gateways.some(({ standby }) => standby !== null && states.includes(standby));

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
      withoutStandby: of.filter((path) => !hasStandby(path, "verified", "not verified")).length,
      verified: of.filter((path) => hasStandby(path, "verified")).length,
    };
  });
}
