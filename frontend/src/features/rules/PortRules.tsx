/** What the alert rules apply to a port, and where each value comes from; for the pages of links and devices. */
import { Checkbox, NativeSelect } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { portRulesList, type EffectiveValue, type PortRule } from "@/api/alerting/rules";
import { portsList } from "@/api/queries";
import { useParam } from "@/api/scope";
import { usePages } from "@/api/useListPage";
import { settingText } from "./parameters";
import classes from "./Rules.module.css";
import { Anchor } from "@/ui/Anchor";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { NamePicker } from "@/ui/NamePicker";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import type { StateName } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";

const MOST_NAMES = 20;
const DEFAULT = "default";

/** A port of this page: `grf1:ga030`. */
export interface NamedPort {
  readonly id: number;
  readonly name: string;
}

/** The ports of a link: one of its ends is shown. */
export function LinkPortRules({ ports }: { ports: readonly NamedPort[] }) {
  const [chosen, choose] = useParam("alert_port", ports[0]?.name ?? "");
  const port = ports.find(({ name }) => name === chosen) ?? ports[0];
  return (
    <AlertSettings
      port={port}
      picker={
        ports.length > 1 && (
          <NativeSelect
            size="xs"
            label="Port"
            data={ports.map(({ name }) => name)}
            value={port?.name ?? ""}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        )
      }
    />
  );
}

/** The ports of a device, which may be a thousand: one is picked by its name. */
export function DevicePortRules({ site, node }: { site: string; node: string }) {
  const [chosen, choose] = useParam("alert_port", "");
  const [text, search] = useState("");
  const [isOpen] = useOpen();
  const q = text === "" ? chosen : text;
  const options = portsList(site, { node, sort: "name", limit: MOST_NAMES, ...(q === "" ? {} : { q }) });
  const { query } = usePages({ ...options, refetchInterval: false }, isOpen === "open");
  const ports = query.data ?? [];
  const port = ports.find(({ name }) => name === chosen) ?? (chosen === "" ? ports[0] : undefined);
  return (
    <AlertSettings
      port={port}
      picker={
        <NamePicker
          label="Port"
          value={port?.name ?? chosen}
          names={ports.map(({ name }) => name)}
          onSearch={search}
          onPick={choose}
        />
      }
    />
  );
}

const useOpen = () => useParam<"open" | "">("alert_settings", "");

/** Closed at first: the answer reads the inventory of the whole site. */
function AlertSettings({ port, picker }: { port: NamedPort | undefined; picker: ReactNode }) {
  const [isOpen, setOpen] = useOpen();
  const [set, setSet] = useParam<"overridden" | "">("alert_rules", "");
  return (
    <Panel title="Alert settings">
      <Disclosure
        summary={<span>Effective thresholds of a port, and where each comes from</span>}
        open={isOpen === "open"}
        onToggle={(open) => setOpen(open ? "open" : "")}
      >
        <div className={classes.stack}>
          <div className={classes.row}>
            {picker}
            <Checkbox
              size="xs"
              label="only what differs from the defaults"
              checked={set === "overridden"}
              onChange={({ currentTarget }) => setSet(currentTarget.checked ? "overridden" : "")}
            />
          </div>
          {port === undefined ? (
            <EmptyState title="No port.">Alert rules about the device are on the page Rules.</EmptyState>
          ) : (
            <Settings key={port.id} port={port} isOverridden={set === "overridden"} />
          )}
        </div>
      </Disclosure>
    </Panel>
  );
}

const isSet = ({ source }: EffectiveValue): boolean => source !== DEFAULT;

function Settings({ port, isOverridden }: { port: NamedPort; isOverridden: boolean }) {
  const { query } = usePages(portRulesList(port.id)(""));
  return (
    <QueryBoundary query={query} what="the alert settings of this port">
      {(rules) => (
        <DataTable
          label={`Alert settings of ${port.name}`}
          columns={COLUMNS}
          rows={rules.filter(
            ({ about, settings }) => about !== "site" && (!isOverridden || settings.some(isSet)),
          )}
          rowKey={({ kind }) => kind}
          rowHref={({ kind }) => `/rules/${kind}`}
          noun="rules"
          empty={
            <EmptyState title="Only defaults apply.">
              An override on the page of a rule changes that for this port, its labels, role or fabric.
            </EmptyState>
          }
          isPlain
        />
      )}
    </QueryBoundary>
  );
}

const valueOf = (rule: PortRule, name: string): EffectiveValue | undefined =>
  rule.settings.find((setting) => setting.name === name);

/** Enablement and severity are the state of the rule; the others are its parameters. */
const STATE_NAMES: ReadonlySet<string> = new Set(["enabled", "severity"]);
const parametersOf = ({ settings }: PortRule) => settings.filter(({ name }) => !STATE_NAMES.has(name));

const textOf = (setting: EffectiveValue): string =>
  typeof setting.value === "number" ? settingText(setting, setting.value) : setting.label;

const COLUMNS: readonly Column<PortRule>[] = [
  { id: "name", header: "rule", value: ({ name }) => name, wraps: true },
  {
    id: "state",
    header: "state",
    value: ({ enabled, severity }) => (enabled ? severity : "disabled"),
    cell: (rule) => {
      const source = valueOf(rule, rule.enabled ? "severity" : "enabled");
      const state = rule.enabled ? rule.severity : "disabled";
      return (
        <span className={classes.actions}>
          <StateLabel state={state as StateName} label={state} />
          {source !== undefined && isSet(source) && <Source kind={rule.kind} setting={source} />}
        </span>
      );
    },
    wraps: true,
  },
  {
    id: "settings",
    header: "thresholds",
    value: (rule) => parametersOf(rule).map(textOf).join(", "),
    cell: (rule) => <Thresholds rule={rule} />,
    wraps: true,
  },
];

function Thresholds({ rule }: { rule: PortRule }) {
  const parameters = parametersOf(rule);
  if (parameters.length === 0) return <span className="dim">none</span>;
  return (
    <ul>
      {parameters.map((setting) => (
        <li key={setting.name}>
          <span className="num">{textOf(setting)}</span> <Source kind={rule.kind} setting={setting} />
        </li>
      ))}
    </ul>
  );
}

/** Where a value comes from, as a link to what sets it. */
function Source({ kind, setting: { source, ties } }: { kind: string; setting: EffectiveValue }) {
  if (source === DEFAULT) return <span className="dim">default</span>;
  const isSite = source === "site";
  return (
    <span className="dim">
      from{" "}
      <Anchor href={isSite ? `/rules/${kind}` : `/rules/${kind}?override=${encodeURIComponent(source)}`}>
        {isSite ? "the whole site" : source}
      </Anchor>
      {ties.length > 0 && `, before ${ties.join(", ")} by the alphabet`}
    </span>
  );
}
