/** The wizard: who is attached, to which switch port, with which numbers; checked with each change, and handed over. */
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { extensionCheckQuery, type ExtensionCheck } from "@/api/extension-nodes";
import { useSite } from "@/api/scope";
import { Checks } from "./Checks";
import { EMPTY, requestOf, type AttachForm } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { ManualSteps } from "./ManualSteps";
import { SwitchPorts } from "./SwitchPorts";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

const TYPING_PAUSE_MS = 300;
type Set = (change: Partial<AttachForm>) => void;

export function AttachPage() {
  const site = useSite();
  const [form, setForm] = useState<AttachForm>(EMPTY);
  const set: Set = (change) => setForm((old) => ({ ...old, ...change }));
  const [settled] = useDebouncedValue(form, TYPING_PAUSE_MS);
  const body = requestOf(site?.name ?? "", settled);
  const check = useQuery(extensionCheckQuery(body));
  const known = body === null ? undefined : check.data;
  return (
    <>
      <PageHeader title="Attach a gateway" headline={headline(known)}>
        <Anchor href="/extension-nodes">All extension nodes</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="1. Which gateway">
          <div className={classes.fields}>
            <TextInput
              size="xs"
              label="Gateway"
              description="as the site file calls it, or will"
              value={form.node}
              onChange={(event) => set({ node: event.currentTarget.value })}
              autoFocus
            />
            <TextInput
              size="xs"
              label="Its adapter on the switch"
              description="as gt020: chassis 0, slot 2, logical 0"
              value={form.port}
              onChange={(event) => set({ port: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              label="Largest packet"
              description="octets; css0 of the nodes has 65520"
              inputMode="numeric"
              value={form.packet}
              onChange={(event) => set({ packet: event.currentTarget.value })}
            />
          </div>
        </Panel>
        {check.error !== null && body !== null && (
          <p className={classes.why} role="alert">
            {check.error.message}
          </p>
        )}
        {known === undefined ? (
          <EmptyState title="Name the gateway first.">
            Then the free switch ports, numbers and an address are proposed. Nothing is stored or changed from
            here.
          </EmptyState>
        ) : (
          <Rest known={known} form={form} set={set} />
        )}
      </div>
    </>
  );
}

function headline(known: ExtensionCheck | undefined): string {
  if (known === undefined)
    return "A GigaRouter takes a free switch port of a node frame, as an extension node of the SP.";
  const { node, fabric, proposal, attachable } = known;
  if (!attachable) return `${node} cannot be attached to ${fabric} like this.`;
  return `${node} can be attached to ${fabric} at frame ${proposal.frame} slot ${proposal.slot}, as node ${proposal.node_number}.`;
}

function Rest({ known, form, set }: { known: ExtensionCheck; form: AttachForm; set: Set }) {
  const { ports, proposal, checks, attachable, steps, undo, site_file, arp, arp_source, fabric } = known;
  return (
    <>
      <Panel title="2. Which switch port" aside={<span className="dim">node frames of {fabric}</span>}>
        <div className={classes.stack}>
          <p className="dim">
            An extension node takes a port of a node frame, never of a switch frame. Best is one beside a wide
            or high node, which uses its first slot's port only.
          </p>
          <SwitchPorts ports={ports} chosen={proposal} onChoose={(place) => set({ place })} />
        </div>
      </Panel>
      <Panel
        title="3. Its numbers and address"
        aside={
          <span className="dim">
            ARP is {arp ? "on" : "off"}: {arp_source}
          </span>
        }
      >
        <div className={classes.fields}>
          <ProposedField
            label="Node number"
            value={form.nodeNumber}
            proposed={proposal.node_number}
            reason={proposal.reasons.number}
            onChange={(nodeNumber) => set({ nodeNumber })}
          />
          <ProposedField
            label="Switch node number"
            value={form.switchNumber}
            proposed={proposal.switch_node_number}
            reason={proposal.reasons.switch_number}
            onChange={(switchNumber) => set({ switchNumber })}
          />
          <ProposedField
            label="Host offset"
            value={form.hostOffset}
            proposed={proposal.host_offset}
            reason={proposal.reasons.host_offset}
            onChange={(hostOffset) => set({ hostOffset })}
          />
          <ProposedField
            label="Address"
            value={form.address}
            proposed={proposal.address}
            reason={proposal.reasons.address}
            onChange={(address) => set({ address })}
          />
        </div>
      </Panel>
      <Checks checks={checks} />
      {attachable && <ManualSteps steps={steps} undo={undo} />}
      {attachable && (
        <Panel title="In the site file">
          <p className="dim">
            Its other ports, its agent and its sources stay as they are. Once imported, it is compared with
            its router all the time.
          </p>
          <pre
            className={`${classes.text} mono`}
            tabIndex={0}
            role="region"
            aria-label="Keys of the site file"
          >
            {site_file}
          </pre>
        </Panel>
      )}
    </>
  );
}

interface ProposedFieldProps {
  label: string;
  value: string;
  proposed: string | number | null;
  reason: string | undefined;
  onChange: (value: string) => void;
}

/** A field that may be left empty: what is proposed then, and why. */
function ProposedField({ label, value, proposed, reason, onChange }: ProposedFieldProps) {
  return (
    <TextInput
      size="xs"
      label={label}
      description={reason ?? "as you say"}
      placeholder={proposed === null ? "none follows" : String(proposed)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
