/** One fabric: who runs ARP and who does not, its policy, the plan that brings it about, the address rule. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import {
  arpFabricsQuery,
  arpRuleQuery,
  arpSettingsQuery,
  useRemoveArp,
  type ArpFabric,
  type ArpPolicy,
} from "@/api/arp";
import { usePropose } from "@/api/change-actions";
import { carry, useSite } from "@/api/scope";
import { formatPorts, RUNNING_LABELS, formatSettings } from "./arp";
import classes from "./Arp.module.css";
import { AddressMismatches } from "./AddressMismatches";
import { ArpPolicyForm } from "./ArpPolicyForm";
import { RuleTable } from "./RuleTable";
import { Anchor } from "@/ui/Anchor";
import { Answer } from "@/ui/Answer";
import { EmptyState, Waiting } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { notify } from "@/ui/notices";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { PressTwice } from "@/ui/PressTwice";
import { StateWord } from "@/ui/StateWord";

export function FabricArpPage() {
  const { fabric = "" } = useParams();
  const site = useSite();
  const asked = useQuery({ ...arpFabricsQuery(site?.name ?? ""), enabled: site !== undefined });
  if (site === undefined) return <Waiting what="the sites" />;
  return (
    <Answer asked={asked} what="ARP of this fabric" page={`ARP of ${fabric}`}>
      {(rows) => {
        const found = rows.find((row) => row.fabric === fabric);
        return found === undefined ? (
          <NoFabric name={fabric} />
        ) : (
          <Details key={fabric} site={site.name} fabric={found} />
        );
      }}
    </Answer>
  );
}

function NoFabric({ name }: { name: string }) {
  return (
    <>
      <PageHeader title={`ARP of ${name}`} headline={`There is no fabric ${name}.`} />
      <EmptyState title="The name may be mistyped, or the site file has lost it.">
        Look at <Anchor href="/arp">the list of fabrics</Anchor>.
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
          <StateWord state={fabric.state} word={RUNNING_LABELS[fabric.running]} title={fabric.state_text} />
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
        <Panel title="What runs">
          <Facts facts={runningFacts(fabric)} />
        </Panel>
        {fabric.address_mismatches.length > 0 && (
          <Panel title="Other addresses than intended" flush>
            <AddressMismatches rows={fabric.address_mismatches} />
          </Panel>
        )}
        {editing ? (
          <Answer asked={settings} what="the settings">
            {(known) => (
              <ArpPolicyForm
                site={site}
                fabric={fabric.fabric}
                policy={policy}
                known={known}
                onDone={() => setEditing(false)}
              />
            )}
          </Answer>
        ) : (
          <Panel title="What is wanted">
            {policy === null ? (
              <EmptyState title="No policy yet.">
                Make one to switch ARP on or off on all of the fabric, or to set its ports. No node changes
                before a plan is approved and applied.
              </EmptyState>
            ) : (
              <PolicySummary policy={policy} />
            )}
          </Panel>
        )}
        <Answer asked={rule} what="the address rule">
          {(checked) => <RuleTable rule={checked} />}
        </Answer>
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
      Make a plan
    </Button>
  );
}

function Remove({ policy: { id, fabric } }: { policy: ArpPolicy }) {
  const remove = useRemoveArp(() =>
    notify("good", `The ARP policy of ${fabric} is removed. No node has changed.`),
  );
  return (
    <PressTwice
      label="Remove policy"
      question={`Remove the policy of ${fabric}?`}
      busy={remove.isPending}
      onSure={() => remove.mutate(id)}
    />
  );
}

function runningFacts({ on, off, unknown, declared }: ArpFabric): Fact[] {
  const named = (names: readonly string[]) =>
    names.length === 0 ? <span className="dim">nobody</span> : names.join(", ");
  return [
    [`ARP on (${on.length})`, named(on)],
    [`ARP off (${off.length})`, named(off)],
    [`nobody told (${unknown.length})`, named(unknown)],
    ["the site file says", declared],
  ];
}

const MODE_LABELS: Record<ArpPolicy["mode"], string> = {
  on: "on for all",
  off: "off for all, with static entries",
  unmanaged: "left as it is",
};

function PolicySummary({ policy }: { policy: ArpPolicy }) {
  const { mode, settings = {}, ports = [], table = {}, note, state, state_text, not_managed } = policy;
  const facts: Fact[] = [
    ["ARP", MODE_LABELS[mode ?? "unmanaged"]],
    ["brought about", <StateWord key="state" state={state} word={state_text} />],
  ];
  const lines: [string, string][] = [
    ["every port", formatSettings(settings)],
    ["some ports", formatPorts(ports)],
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
  if (not_managed.length > 0) facts.push(["set by people", not_managed.join(", ")]);
  return (
    <div className={classes.stack}>
      {note !== "" && <p>{note}</p>}
      <Facts facts={facts} />
    </div>
  );
}
