/** One policy: definition, deployment, and the form to deploy it. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { useIsPolicyDeleted } from "@/api/change-actions";
import { policyQuery } from "@/api/failover";
import type { Policy } from "@/api/types";
import { describeTimers } from "./draft";
import { describeGroup } from "./group";
import { MakePlan } from "./MakePlan";
import classes from "./PoliciesPage.module.css";
import { PolicyOutages } from "./PolicyOutages";
import { progressTone } from "./progress";
import { RetirePolicy } from "./RetirePolicy";
import { StripeShares } from "./StripeShares";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count, partOf } from "@/util/units";

export function PolicyPage() {
  const id = Number(useParams().id);
  const isDeleted = useIsPolicyDeleted(id);
  const policy = useQuery({ ...policyQuery(id), enabled: !isDeleted });
  return (
    <QueryBoundary query={policy} what="this policy" page="Policy">
      {(data) => <Details policy={data} />}
    </QueryBoundary>
  );
}

function Details({ policy }: { policy: Policy }) {
  const { id, name, nodes, progress, origin, note, stripe, undetected } = policy;
  return (
    <>
      <PageHeader
        title={name}
        headline={headlineOf(policy)}
        aside={
          <StateLabel
            state={progressTone(policy)}
            label={`${partOf(progress.confirmed, nodes.length, "node")} confirmed`}
            title={progress.text}
          />
        }
      >
        <ButtonLink href={`/paths?policy=${encodeURIComponent(name)}`}>Paths</ButtonLink>
        {origin === "file" ? (
          <ButtonLink href={`/policies/new?copy=${id}`}>Copy</ButtonLink>
        ) : (
          <ButtonLink href={`/policies/${id}/edit`}>Edit</ButtonLink>
        )}
      </PageHeader>
      <div className={classes.page}>
        <MakePlan site={policy.site} policy={policy} />
        <Panel title="Definition">
          <div className={classes.stack}>
            {note !== "" && <p>{note}</p>}
            <Facts facts={factsOf(policy)} />
          </div>
        </Panel>
        {stripe !== null && <StripeShares policy={policy} />}
        <Panel title={`Members (${count(nodes.length, "node")})`}>
          <div className={classes.stack}>
            <p>{nodes.length === 0 ? "No nodes match yet." : nodes.join(", ")}</p>
            {undetected.length > 0 && (
              <p className={classes.bad}>
                Nothing detects a failure on {undetected.join(", ")}: the site file declares the policy{" "}
                <code>deployed: false</code>, and no change has deployed it there.
              </p>
            )}
            {progress.not_managed.length > 0 && (
              <p className={classes.bad}>
                Not managed: {progress.not_managed.join(", ")}. Set the <code>routing:</code> key in the site
                file to let Backstay manage {progress.not_managed.length === 1 ? "its" : "their"} routes.
              </p>
            )}
          </div>
        </Panel>
        <PolicyOutages id={id} />
        <RetirePolicy policy={policy} />
      </div>
    </>
  );
}

const headlineOf = ({ prefix, gateways, stripe, progress }: Policy): string =>
  `To ${prefix} ${stripe === null ? `via ${gateways.join(", then ")}` : `striped over ${gateways.join(", ")}`}; ${progress.text}.`;

function factsOf({
  group,
  prefix,
  gateways,
  stripe,
  detection,
  timers,
  target,
  return_path,
  origin,
  site,
  is_preconfigured,
}: Policy): Fact[] {
  const facts: Fact[] = [
    ["nodes", describeGroup(group)],
    [
      "destination",
      <span key="prefix" className="mono">
        {prefix}
      </span>,
    ],
    [
      "gateways",
      stripe === null
        ? gateways.join(", then ")
        : `stripe over ${gateways.join(", ")}, ${count(stripe.backups ?? 1, "backup")} each, balanced by ${stripe.balance ?? "count"}`,
    ],
    ["failure detection", detection],
    ["timers", describeTimers(timers, detection)],
    ["end-to-end target", target ?? "none (only the gateways are probed)"],
    [
      "return path",
      return_path === null
        ? "none"
        : `${return_path.routers.join(", ")} reach ${return_path.prefix} via the same gateways`,
    ],
    [
      "managed by",
      origin === "file" ? `the site file of ${site} (edit it there, or copy the policy)` : "operators",
    ],
  ];
  if (is_preconfigured !== null) facts.push(["on the nodes", PRECONFIGURED[String(is_preconfigured)] ?? ""]);
  return facts;
}

/** Key `deployed` of the site file. */
const PRECONFIGURED: Record<string, string> = {
  true: "preconfigured: routes and failure detection run, installed outside Backstay",
  false: "not preconfigured: a change must deploy it",
};
