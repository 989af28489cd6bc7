/** Form of a fabric's ARP policy. Saving changes no node. */
import { Button, SegmentedControl, Textarea } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useKeepArp, type ArpPolicy, type ArpPolicyIn, type ArpSetting } from "@/api/arp";
import { formatPorts, parsePorts, parseSettings, formatSettings } from "./arp";
import classes from "./Arp.module.css";
import { Disclosure } from "@/ui/Disclosure";
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
  const [mode, setMode] = useState<string>(policy?.mode ?? "unmanaged");
  const [settings, setSettings] = useState(formatSettings(policy?.settings ?? {}));
  const [ports, setPorts] = useState(formatPorts(policy?.ports ?? []));
  const [table, setTable] = useState(formatSettings(policy?.table ?? {}));
  const [note, setNote] = useState(policy?.note ?? "");
  const [listed, setListed] = useState(false);
  const keep = useKeepArp(onDone);
  const ofPorts = known.filter(({ scope }) => scope === "port");
  const read = {
    settings: parseSettings(settings, ofPorts),
    ports: parsePorts(ports, ofPorts),
    table: parseSettings(
      table,
      known.filter(({ scope }) => scope === "node"),
    ),
  };
  const wrong = [read.settings, read.ports, read.table].some(({ errors }) => errors.length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body: ArpPolicyIn = {
      site,
      fabric,
      mode: mode as ArpPolicy["mode"],
      settings: read.settings.settings,
      ports: read.ports.ports,
      table: read.table.settings,
      note,
    };
    keep.mutate({ id: policy?.id ?? null, body });
  };
  return (
    <Panel title={policy === null ? "New policy" : "Edit policy"}>
      <form className={classes.stack} onSubmit={submit}>
        <div className={classes.mode}>
          <span id="arp-mode">ARP on {fabric}</span>
          <SegmentedControl
            size="xs"
            aria-labelledby="arp-mode"
            data={MODES}
            value={mode}
            onChange={setMode}
          />
        </div>
        <p className="dim">
          Off adds static IPv4 and IPv6 entries for every other node. All nodes change at once, because a node
          with ARP off does not answer ARP requests.
        </p>
        <SettingsTextarea
          label="Parameters of all ports"
          hint="ipv4.conf.arp_ignore = 1"
          value={settings}
          errors={read.settings.errors}
          onChange={setSettings}
        />
        <SettingsTextarea
          label="Parameters of selected ports"
          hint="sp0?:css0 ipv4.conf.arp_filter = 1"
          value={ports}
          errors={read.ports.errors}
          onChange={setPorts}
        />
        <SettingsTextarea
          label="Neighbour table limits per node"
          hint="ipv4.gc_thresh3 = 8192"
          value={table}
          errors={read.table.errors}
          onChange={setTable}
        />
        <Disclosure summary={<span>All parameters and their ranges</span>} open={listed} onToggle={setListed}>
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
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {keep.error !== null && (
          <p role="alert" className={classes.bad}>
            {keep.error.message}
          </p>
        )}
        <div className={classes.row}>
          <Button type="submit" size="xs" loading={keep.isPending} disabled={wrong}>
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

function SettingsTextarea({
  label,
  hint,
  value,
  errors,
  onChange,
}: {
  label: string;
  hint: string;
  value: string;
  errors: readonly string[];
  onChange: (value: string) => void;
}) {
  return (
    <Textarea
      size="xs"
      label={label}
      placeholder={hint}
      description="One per line"
      autosize
      minRows={2}
      classNames={{ input: "mono" }}
      value={value}
      error={errors.join(" ") || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
