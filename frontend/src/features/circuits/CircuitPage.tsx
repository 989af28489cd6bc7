/** One circuit: hops, faults, traffic shape, history, and the router configuration. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { circuitQuery, type Circuit } from "@/api/circuits";
import { useSite } from "@/api/scope";
import { CircuitHistory } from "./CircuitHistory";
import { describeShapes, KIND_LABELS, formatLabels } from "./circuits";
import classes from "./Circuits.module.css";
import { RouterConfig } from "./RouterConfig";
import { Strip } from "./Strip";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";

export function CircuitPage() {
  const circuit = useQuery(circuitQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={circuit} what="this circuit" page="Circuit">
      {(data) => <Details circuit={data} />}
    </QueryBoundary>
  );
}

function Details({ circuit }: { circuit: Circuit }) {
  const site = useSite();
  const { name, state, state_text, incident_id, hops, kind } = circuit;
  const routers = hops.filter(({ into, out }) =>
    [into, out].some((side) => side !== null && /^ga0[0-9a-f]{2}$/.test(side.port)),
  );
  return (
    <>
      <PageHeader
        title={name}
        headline={`${KIND_LABELS[kind]} ${formatLabels(circuit)}; ${state_text}.`}
        aside={<StateBadge state={state} text={state_text} />}
      >
        {incident_id !== null && <Anchor href={`/incidents/${incident_id}`}>Incident</Anchor>}
        <Anchor href="/circuits">All circuits</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Hops">
          <Strip hops={hops} />
        </Panel>
        <Panel title="About">
          <Facts facts={factsOf(circuit)} />
        </Panel>
        {site !== undefined && <CircuitHistory site={site.name} name={name} />}
        {kind === "pvc" &&
          site !== undefined &&
          routers.map(({ node }) => <RouterConfig key={node} site={site.name} node={node} />)}
      </div>
    </>
  );
}

function factsOf({ ends, hops, note }: Circuit): Fact[] {
  return [
    ["ends", ends.join(" and ")],
    ["hops", String(hops.length)],
    ["traffic shape", describeShapes(hops)],
    ["note", note === "" ? "none" : note],
  ];
}
