/** Form of a fabric's ARP policy. Saving changes no node. */
import { Button, SegmentedControl, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useKeepArp, type ArpPolicy, type ArpSetting } from "@/api/arp";
import { useSubmit } from "@/api/useSubmit";
import { formatPorts, parsePorts, parseSettings, formatSettings } from "./arp";
import classes from "./Arp.module.css";
import { Disclosure } from "@/ui/Disclosure";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";

const MODES = [
  { value: "on", label: "on" },
  { value: "off", label: "off" },
  { value: "unmanaged", label: "unmanaged" },
];

interface Props {
  site: string;
  fabric: string;
  policy: ArpPolicy | null;
  known: readonly ArpSetting[];
  onDone: () => void;
}

export function ArpPolicyForm({ site, fabric, policy, known, onDone }: Props) {
  const portSettings = known.filter(({ scope }) => scope === "port");
  const nodeSettings = known.filter(({ scope }) => scope === "node");
  const form = useForm({
    initialValues: {
      mode: policy?.mode ?? "unmanaged",
      settings: formatSettings(policy?.settings ?? {}),
      ports: formatPorts(policy?.ports ?? []),
      table: formatSettings(policy?.table ?? {}),
      note: policy?.note ?? "",
    },
    validateInputOnChange: true,
    validate: {
      settings: (text) => parseSettings(text, portSettings).errors.join(" ") || null,
      ports: (text) => parsePorts(text, portSettings).errors.join(" ") || null,
      table: (text) => parseSettings(text, nodeSettings).errors.join(" ") || null,
    },
  });
  const [isOpen, setOpen] = useState(false);
  const save = useKeepArp(onDone);
  const { onSubmit, busy, error } = useSubmit(form, save, ({ mode, settings, ports, table, note }) => ({
    id: policy?.id ?? null,
    body: {
      site,
      fabric,
      mode,
      settings: parseSettings(settings, portSettings).settings,
      ports: parsePorts(ports, portSettings).ports,
      table: parseSettings(table, nodeSettings).settings,
      note,
    },
  }));
  return (
    <Panel title={policy === null ? "New policy" : "Edit policy"}>
      <form className={classes.stack} onSubmit={onSubmit}>
        <div className={classes.mode}>
          <span id="arp-mode">ARP on {fabric}</span>
          <SegmentedControl
            size="xs"
            aria-labelledby="arp-mode"
            data={MODES}
            {...form.getInputProps("mode")}
          />
        </div>
        <p className="dim">
          Off adds static IPv4 and IPv6 entries for every other node. All nodes change at once, because a node
          with ARP off does not answer ARP requests.
        </p>
        <SettingsTextarea
          label="Parameters of all ports"
          hint="ipv4.conf.arp_ignore = 1"
          {...form.getInputProps("settings")}
        />
        <SettingsTextarea
          label="Parameters of selected ports"
          hint="sp0?:css0 ipv4.conf.arp_filter = 1"
          {...form.getInputProps("ports")}
        />
        <SettingsTextarea
          label="Neighbour table limits per node"
          hint="ipv4.gc_thresh3 = 8192"
          {...form.getInputProps("table")}
        />
        <Disclosure summary={<span>All parameters and their ranges</span>} open={isOpen} onToggle={setOpen}>
          <ul className={classes.known}>
            {known.map(({ name, least, greatest }) => (
              <li key={name} className="mono">
                {name}{" "}
                <span className="dim">
                  {least} to {greatest}
                </span>
              </li>
            ))}
          </ul>
        </Disclosure>
        <Textarea
          size="xs"
          label="Note"
          autosize
          minRows={2}
          maxLength={2000}
          {...form.getInputProps("note")}
        />
        <FormError>{error}</FormError>
        <div className={classes.row}>
          <Button type="submit" size="xs" loading={busy} disabled={!form.isValid()}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function SettingsTextarea({ hint, ...input }: { hint: string } & React.ComponentProps<typeof Textarea>) {
  return (
    <Textarea
      size="xs"
      placeholder={hint}
      description="One per line"
      autosize
      minRows={2}
      classNames={{ input: "mono" }}
      {...input}
    />
  );
}
