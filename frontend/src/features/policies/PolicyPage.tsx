/** One policy: definition, deployment, and the form to deploy it. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { client, unwrap } from "@/api/client";
import { policyQuery } from "@/api/failover";
import { carry } from "@/api/scope";
import type { Policy } from "@/api/types";
import { describeTimers } from "./draft";
import { describeGroup } from "./group";
import { MakePlan } from "./MakePlan";
import classes from "./PoliciesPage.module.css";
import { progressTone } from "./progress";
import { StripeShares } from "./StripeShares";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { confirm } from "@/ui/confirm";
import { Facts, type Fact } from "@/ui/Facts";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

export function PolicyPage() {
  const id = Number(useParams().id);
  const policy = useQuery(policyQuery(id));
  return (
    <QueryBoundary query={policy} what="this policy" page="Policy">
      {(data) => <Details policy={data} />}
    </QueryBoundary>
  );
}

function Details({ policy }: { policy: Policy }) {
  const { id, name, nodes, progress, origin, note, stripe } = policy;
  return (
    <>
      <PageHeader
        title={name}
        headline={headlineOf(policy)}
        aside={
          <StateLabel
            state={progressTone(policy)}
            label={`${progress.confirmed} of ${count(nodes.length, "node")} confirmed`}
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
        {origin === "operator" && <Remove policy={policy} />}
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
            {progress.not_managed.length > 0 && (
              <p className={classes.bad}>
                Not managed: {progress.not_managed.join(", ")}. Set the <code>routing:</code> key in the site
                file to let Backstay manage {progress.not_managed.length === 1 ? "its" : "their"} routes.
              </p>
            )}
          </div>
        </Panel>
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
  return facts;
}

function Remove({ policy: { id, name } }: { policy: Policy }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => unwrap(client.DELETE("/api/v1/failover-policies/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["policies"] });
      notify("good", `Policy ${name} removed.`);
      void navigate(carry("/policies", search));
    },
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={remove.isPending}
      onClick={() =>
        confirm({
          title: `Remove policy ${name}?`,
          consequence: "The definition is deleted. No node is changed.",
          action: "Remove policy",
          onConfirm: () => remove.mutate(),
        })
      }
    >
      Remove
    </Button>
  );
}
