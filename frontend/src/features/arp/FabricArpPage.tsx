/** ARP of one fabric: running state, policy, plan and address rule. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import {
  arpFabricQuery,
  arpRuleQuery,
  arpSettingsQuery,
  useRemoveArp,
  type ArpFabric,
  type ArpPolicy,
  type AddressMismatch,
} from "@/api/arp";
import { usePropose } from "@/api/change-actions";
import { carry, useSite } from "@/api/scope";
import { formatPorts, RUNNING_LABELS, formatSettings, formatAddresses } from "./arp";
import classes from "./Arp.module.css";
import { ArpPolicyForm } from "./ArpPolicyForm";
import { RuleTable } from "./RuleTable";
import { Anchor } from "@/ui/Anchor";
import { ConfirmButton } from "@/ui/confirm";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState, Waiting } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";

export function FabricArpPage() {
  const { fabric = "" } = useParams();
  const site = useSite();
  const query = useQuery({ ...arpFabricQuery(site?.name ?? "", fabric), enabled: site !== undefined });
  if (site === undefined) return <Waiting what="the sites" />;
  return (
    <QueryBoundary query={query} what="ARP of this fabric" page={`ARP of ${fabric}`}>
      {(found) =>
        found === null ? <NoFabric name={fabric} /> : <Details key={fabric} site={site.name} fabric={found} />
      }
    </QueryBoundary>
  );
}

function NoFabric({ name }: { name: string }) {
  return (
    <>
      <PageHeader title={`ARP of ${name}`} headline={`Fabric ${name} does not exist.`} />
      <EmptyState title="The name is mistyped, or the fabric is no longer in the site file.">
        See <Anchor href="/arp">the list of fabrics</Anchor>.
      </EmptyState>
    </>
  );
}

function Details({ site, fabric }: { site: string; fabric: ArpFabric }) {
  const [editing, setEditing] = useState(false);
  const settings = useQuery(arpSettingsQuery());
  const rule = useQuery(arpRuleQuery(site, fabric.fabric));
  const { policy } = fabric;
  return (
    <>
      <PageHeader
        title={`ARP of ${fabric.fabric}`}
        headline={`${fabric.state_text}.`}
        aside={
          <StateLabel state={fabric.state} label={RUNNING_LABELS[fabric.running]} title={fabric.state_text} />
        }
      >
        {policy !== null && !editing && <Plan site={site} policy={policy} />}
        {!editing && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            {policy === null ? "New policy" : "Edit policy"}
          </Button>
        )}
        {policy !== null && !editing && <Remove policy={policy} />}
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Running state">
          <Facts facts={runningFacts(fabric)} />
        </Panel>
        {fabric.address_mismatches.length > 0 && (
          <Panel title="Address mismatches" flush>
            <AddressMismatches rows={fabric.address_mismatches} />
          </Panel>
        )}
        {editing ? (
          <QueryBoundary query={settings} what="the settings">
            {(known) => (
              <ArpPolicyForm
                site={site}
                fabric={fabric.fabric}
                policy={policy}
                known={known}
                onDone={() => setEditing(false)}
              />
            )}
          </QueryBoundary>
        ) : (
          <Panel title="Policy">
            {policy === null ? (
              <EmptyState title="No policy.">
                Create a policy to turn ARP on or off on the whole fabric, or to set port parameters. Nodes
                change only when a plan is approved and applied.
              </EmptyState>
            ) : (
              <PolicySummary policy={policy} />
            )}
          </Panel>
        )}
        <QueryBoundary query={rule} what="the address rule">
          {(checked) => <RuleTable rule={checked} />}
        </QueryBoundary>
      </div>
    </>
  );
}

function Plan({ site, policy }: { site: string; policy: ArpPolicy }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const propose = usePropose((change) => void navigate(carry(`/changes/${change.id}`, search)));
  return (
    <Button
      size="xs"
      loading={propose.isPending}
      onClick={() =>
        propose.mutate({
          site,
          kind: "arp",
          policies: [],
          arp_policies: [policy.id],
          nodes: [],
          title: "",
          reason: "",
          ticket: "",
        })
      }
    >
      Create plan
    </Button>
  );
}

function Remove({ policy: { id, fabric } }: { policy: ArpPolicy }) {
  const remove = useRemoveArp(() => notify("good", `ARP policy of ${fabric} removed. No node was changed.`));
  return (
    <ConfirmButton
      isBusy={remove.isPending}
      title={`Remove the ARP policy of ${fabric}?`}
      consequence="The definition is deleted. No node is changed."
      action="Remove policy"
      onConfirm={() => remove.mutate(id)}
    >
      Remove policy
    </ConfirmButton>
  );
}

function runningFacts({ on, off, unknown, declared }: ArpFabric): Fact[] {
  const named = (names: readonly string[]) =>
    names.length === 0 ? <span className="dim">none</span> : names.join(", ");
  return [
    [`ARP on (${on.length})`, named(on)],
    [`ARP off (${off.length})`, named(off)],
    [`not reported (${unknown.length})`, named(unknown)],
    ["site file", declared],
  ];
}

const MODE_LABELS: Record<ArpPolicy["mode"], string> = {
  on: "on for all nodes",
  off: "off for all nodes, with static entries",
  unmanaged: "not managed",
};

function PolicySummary({ policy }: { policy: ArpPolicy }) {
  const { mode, settings = {}, ports = [], table = {}, note, state, state_text, not_managed } = policy;
  const facts: Fact[] = [
    ["ARP", MODE_LABELS[mode ?? "unmanaged"]],
    ["deployed", <StateLabel key="state" state={state} label={state_text} />],
  ];
  const lines: [string, string][] = [
    ["all ports", formatSettings(settings)],
    ["selected ports", formatPorts(ports)],
    ["whole node", formatSettings(table)],
  ];
  for (const [name, text] of lines)
    if (text !== "")
      facts.push([
        name,
        <pre key={name} className={classes.lines}>
          {text}
        </pre>,
      ]);
  if (not_managed.length > 0) facts.push(["set manually", not_managed.join(", ")]);
  return (
    <div className={classes.stack}>
      {note !== "" && <p>{note}</p>}
      <Facts facts={facts} />
    </div>
  );
}

const MISMATCHES: readonly Column<AddressMismatch>[] = [
  {
    id: "state",
    header: "state",
    value: () => 0,
    cell: ({ text }) => <StateLabel state="critical" label="mismatch" title={text} />,
  },
  {
    id: "node",
    header: "node",
    value: ({ node }) => node,
    cell: ({ node, node_id }) => (
      <span className={classes.member}>
        <Anchor href={`/devices/${node_id}`}>{node}</Anchor>
      </span>
    ),
  },
  { id: "port", header: "port", value: ({ port }) => port },
  {
    id: "intended",
    header: "intended",
    value: ({ intended }) => formatAddresses(intended),
    cell: ({ intended }) => <span className="mono">{formatAddresses(intended)}</span>,
  },
  {
    id: "running",
    header: "running",
    value: ({ running }) => formatAddresses(running),
    cell: ({ running }) => <span className="mono">{formatAddresses(running)}</span>,
  },
];

function AddressMismatches({ rows }: { rows: readonly AddressMismatch[] }) {
  return (
    <>
      <p className={classes.summary}>
        With ARP off, these nodes are unreachable. Set each address as in the site file, or correct the site
        file. Plans that turn ARP off are rejected until then.
      </p>
      <DataTable
        label="Address mismatches"
        noun="ports"
        rows={rows}
        columns={MISMATCHES}
        rowKey={({ node, port }) => `${node}:${port}`}
        empty={null}
      />
    </>
  );
}
