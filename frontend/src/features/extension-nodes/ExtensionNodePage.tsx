/** One extension node: comparison with its router, checks and manual steps. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { extensionNodeQuery, type ExtensionNode, type ExtensionAttribute } from "@/api/extension-nodes";
import { Checks } from "./Checks";
import classes from "./ExtensionNodes.module.css";
import { ManualSteps } from "./ManualSteps";
import { verdictState } from "./extension";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import { NONE } from "@/util/units";

export function ExtensionNodePage() {
  const query = useQuery(extensionNodeQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={query} what="this extension node" page="Extension node">
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

/** Intended attributes against the router's row of the SP dependent-node MIB. */
function Attributes({ attributes, router }: { attributes: readonly ExtensionAttribute[]; router: string }) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Attributes of ${router}`}>
      <table className={classes.sides}>
        <thead>
          <tr>
            <th scope="col">attribute, SDR name</th>
            <th scope="col">intended</th>
            <th scope="col">reported by {router}</th>
            <th scope="col">verdict</th>
          </tr>
        </thead>
        <tbody>
          {attributes.map((attribute) => (
            <Line key={attribute.key} attribute={attribute} router={router} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ attribute, router }: { attribute: ExtensionAttribute; router: string }) {
  const { key, title, sdr, object, intended, reported, verdict, text } = attribute;
  const [state, label] = verdictState(attribute);
  return (
    <tr data-attribute={key} data-verdict={verdict}>
      <th scope="row">
        {title}
        <span className={`${classes.name} mono`}>{[sdr, object].filter(Boolean).join(" · ")}</span>
      </th>
      <td className="mono" data-label="intended">
        {intended ?? NONE}
      </td>
      <td className={`${classes.reported} mono`} data-label={`reported by ${router}`}>
        {reported ?? NONE}
      </td>
      <td>
        <StateLabel state={state} label={label} />
        {text !== "" && <span className={classes.name}>{text}</span>}
      </td>
    </tr>
  );
}
