/** Wizard to attach a gateway: switch port, numbers and address, checked on every edit. */
import { TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { extensionCheckQuery, type ExtensionCheck, type SwitchPort } from "@/api/extension-nodes";
import { fieldErrors } from "@/api/problem";
import { useSite } from "@/api/scope";
import { Checks } from "./Checks";
import { EMPTY, requestOf, validate, type AttachForm, framesOf, formatUse } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { ManualSteps } from "./ManualSteps";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

const TYPING_PAUSE_MS = 300;
export function AttachPage() {
  const site = useSite();
  const form = useForm<AttachForm>({ initialValues: EMPTY, validate, validateInputOnChange: true });
  const [settled] = useDebouncedValue(form.values, TYPING_PAUSE_MS);
  const body = requestOf(site?.name ?? "", settled);
  const check = useQuery(extensionCheckQuery(body));
  const isComplete = body !== null;
  // A field with an error stays on the page, with the last proposal.
  const known = settled.node.trim() === "" ? undefined : check.data;
  const refused = isComplete && check.error !== null ? fieldErrors(check.error) : {};
  const input = (name: TextField) => {
    const props = form.getInputProps(name);
    return { size: "xs", ...props, error: props.error ?? refused[name] };
  };
  return (
    <>
      <PageHeader title="Attach a gateway" headline={headline(isComplete ? known : undefined)}>
        <Anchor href="/extension-nodes">All extension nodes</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="1. Gateway">
          <div className={classes.fields}>
            <TextInput label="Gateway" description="Name in the site file" {...input("node")} autoFocus />
            <TextInput
              label="Switch adapter"
              description="E.g. gt020: chassis 0, slot 2, logical 0"
              {...input("port")}
            />
            <TextInput
              label="Max packet (bytes)"
              description="css0 of the nodes uses 65520"
              inputMode="numeric"
              {...input("max_link_packet")}
            />
          </div>
        </Panel>
        {isComplete && <FormError>{check.error?.message}</FormError>}
        {known === undefined ? (
          <EmptyState title="Enter the gateway.">
            Backstay then proposes free switch ports, numbers and an address. Nothing is stored or changed.
          </EmptyState>
        ) : (
          <Rest known={known} form={form} input={input} isComplete={isComplete} />
        )}
      </div>
    </>
  );
}

function headline(known: ExtensionCheck | undefined): string {
  if (known === undefined)
    return "A GigaRouter uses a free switch port of a node frame, as an extension node of the SP.";
  const { node, fabric, proposal, attachable } = known;
  if (!attachable) return `${node} cannot be attached to ${fabric} with these values.`;
  return `${node} can be attached to ${fabric} at frame ${proposal.frame} slot ${proposal.slot}, as node ${proposal.node_number}.`;
}

type TextField = Exclude<keyof AttachForm, "place">;

interface RestProps {
  known: ExtensionCheck;
  form: UseFormReturnType<AttachForm>;
  input: (name: TextField) => object;
  isComplete: boolean;
}

function Rest({ known, form, input, isComplete }: RestProps) {
  const { ports, proposal, checks, attachable, steps, undo, site_file, arp, arp_source, fabric } = known;
  const isAttachable = isComplete && attachable;
  return (
    <>
      <Panel title="2. Switch port" aside={<span className="dim">node frames of {fabric}</span>}>
        <div className={classes.stack}>
          <p className="dim">
            An extension node uses a port of a node frame, not of a switch frame. Prefer a port covered by a
            wide or high node, which uses only the port of its first slot.
          </p>
          <SwitchPorts
            ports={ports}
            chosen={proposal}
            onChoose={(place) => form.setFieldValue("place", place)}
          />
        </div>
      </Panel>
      <Panel
        title="3. Numbers and address"
        aside={
          <span className="dim">
            ARP is {arp ? "on" : "off"}: {arp_source}
          </span>
        }
      >
        <div className={classes.fields}>
          <ProposedField
            label="Node number"
            {...input("node_number")}
            proposed={proposal.node_number}
            reason={proposal.reasons.number}
          />
          <ProposedField
            label="Switch node number"
            {...input("switch_node_number")}
            proposed={proposal.switch_node_number}
            reason={proposal.reasons.switch_number}
          />
          <ProposedField
            label="Host offset"
            {...input("host_offset")}
            proposed={proposal.host_offset}
            reason={proposal.reasons.host_offset}
          />
          <ProposedField
            label="Address"
            {...input("address")}
            proposed={proposal.address}
            reason={proposal.reasons.address}
          />
        </div>
      </Panel>
      {isComplete && <Checks checks={checks} />}
      {isAttachable && <ManualSteps steps={steps} undo={undo} />}
      {isAttachable && (
        <Panel title="Site file entry">
          <p className="dim">
            Other ports, the agent and the sources are unchanged. After the import Backstay compares it with
            the router continuously.
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
  proposed: string | number | null;
  reason: string | undefined;
}

/** A field that may be left empty, with the proposed value and its reason. */
function ProposedField({ proposed, reason, ...input }: ProposedFieldProps) {
  return (
    <TextInput
      description={reason ?? "manual value"}
      placeholder={proposed === null ? "no proposal" : String(proposed)}
      {...input}
    />
  );
}

interface Props {
  ports: readonly SwitchPort[];
  chosen: { readonly frame: number | null; readonly slot: number | null };
  onChoose: (place: { frame: number; slot: number }) => void;
}

/** Switch ports of the node frames: owners, and the port selected for the gateway. */
function SwitchPorts({ ports, chosen, onChoose }: Props) {
  return [...framesOf(ports)].map(([frame, slots]) => (
    <div key={frame} role="group" aria-label={`Switch ports of frame ${frame}`}>
      <span className="dim">Frame {frame}</span>
      <div className={classes.frame}>
        {slots.map((port) => (
          <button
            key={port.slot}
            type="button"
            className={classes.slot}
            data-use={port.use}
            title={port.text}
            disabled={port.use === "used"}
            aria-pressed={chosen.frame === frame && chosen.slot === port.slot}
            onClick={() => onChoose({ frame, slot: port.slot })}
          >
            <b className="num">{port.slot}</b>
            <small>{formatUse(port)}</small>
          </button>
        ))}
      </div>
    </div>
  ));
}
