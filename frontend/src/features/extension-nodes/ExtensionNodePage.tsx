/** One extension node: comparison with its router, checks and manual steps. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { extensionNodeQuery, type ExtensionNode } from "@/api/extension-nodes";
import { Attributes } from "./Attributes";
import { Checks } from "./Checks";
import classes from "./ExtensionNodes.module.css";
import { ManualSteps } from "./ManualSteps";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";

export function ExtensionNodePage() {
  const asked = useQuery(extensionNodeQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={asked} what="this extension node" page="Extension node">
      {(data) => <Details node={data} />}
    </QueryBoundary>
  );
}

function Details({ node }: { node: ExtensionNode }) {
  const {
    id,
    name,
    port,
    fabric,
    state,
    state_text,
    place,
    arp,
    arp_source,
    reported_at,
    attributes,
    checks,
    steps,
    undo,
    incident_id,
  } = node;
  return (
    <>
      <PageHeader
        title={name}
        headline={`Extension node of ${fabric}: ${state_text}.`}
        aside={<StateBadge state={state} text={state_text} />}
      >
        {incident_id !== null && <Anchor href={`/incidents/${incident_id}`}>Incident</Anchor>}
        <Anchor href={`/devices/${id}`}>Device</Anchor>
        <Anchor href="/extension-nodes">All extension nodes</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel
          title="Intended and reported"
          aside={
            <span className="dim">
              reported <AgeStamp at={reported_at} suffix="ago" />
            </span>
          }
          flush
        >
          <Attributes attributes={attributes} router={name} />
        </Panel>
        <Panel title="About">
          <Facts
            facts={[
              ["adapter", `${name}:${port}`],
              ["switch port", place === "" ? "not declared" : place],
              ["switch ARP", `${arp ? "on" : "off"}: ${arp_source}`],
            ]}
          />
        </Panel>
        <Checks checks={checks} />
        <ManualSteps steps={steps} undo={undo} />
      </div>
    </>
  );
}
