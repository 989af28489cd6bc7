/** Which incidents a route takes: severity, kinds, roles, fabrics, labels and times. */
import { Checkbox, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { groupPreviewQuery } from "@/api/failover";
import { fabricsList } from "@/api/queries";
import { useNames } from "@/api/useNames";
import classes from "./Notifications.module.css";
import { errorUnder, parseList, type RouteDraft } from "./routeDraft";
import { kindTitle } from "./routeText";
import { WeeklyTimes, ZoneInput } from "./WeeklyTimes";
import { Disclosure } from "@/ui/Disclosure";
import { FormError } from "@/ui/FormError";
import { NamePicker } from "@/ui/NamePicker";
import { incident_kinds } from "@/util/spec.json";

type Severity = RouteDraft["matchers"]["severities"][number];
type Kind = RouteDraft["matchers"]["kinds"][number];

const SEVERITIES: readonly Severity[] = ["critical", "warning"];

interface Props {
  form: UseFormReturnType<RouteDraft>;
  site: string;
}

function toggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

export function IncidentFields({ form, site }: Props) {
  const { severities, times, zone } = form.values.matchers;
  // Roles and label names of the site's nodes; the group is empty because no node is searched.
  const group = useQuery(groupPreviewQuery({ site, nodes: { role: "" }, gateways: [] }));
  const fabrics = useNames(fabricsList, site, ({ name }) => name);
  const roles = group.data?.roles ?? [];
  const [label] = group.data?.labels ?? [];
  return (
    <div className={classes.stack}>
      <fieldset className={classes.group}>
        <legend>Severity</legend>
        <div className={classes.checks}>
          {SEVERITIES.map((severity) => (
            <Checkbox
              key={severity}
              size="xs"
              label={severity}
              checked={severities.includes(severity)}
              onChange={() => form.setFieldValue("matchers.severities", toggled(severities, severity))}
            />
          ))}
          <span className="dim">{severities.length === 0 ? "any severity" : ""}</span>
        </div>
        <FormError>{errorUnder(form.errors, "matchers.severities")}</FormError>
      </fieldset>
      <Kinds form={form} />
      <div className={classes.fields}>
        <Names form={form} field="roles" label="Roles" names={roles} onSearch={() => undefined} />
        <Names form={form} field="fabrics" label="Fabrics" names={fabrics.names} onSearch={fabrics.search} />
        <TextInput
          size="xs"
          label="Labels"
          description="Of the node; all must match"
          placeholder={`${label ?? "rack"}=7`}
          {...form.getInputProps("matchers.labels")}
          error={errorUnder(form.errors, "matchers.labels")}
        />
      </div>
      <WeeklyTimes
        legend="Times"
        times={times}
        none="Always."
        error={errorUnder(form.errors, "matchers.times")}
        onChange={(next) => form.setFieldValue("matchers.times", next)}
      />
      {times.length > 0 && (
        <div className={classes.fields}>
          <ZoneInput
            value={zone}
            error={form.errors["matchers.zone"]}
            onChange={(next) => form.setFieldValue("matchers.zone", next)}
          />
        </div>
      )}
    </div>
  );
}

function Kinds({ form }: Pick<Props, "form">) {
  const [isOpen, setOpen] = useState(false);
  const { kinds } = form.values.matchers;
  return (
    <div className={classes.stack}>
      <Disclosure
        summary={
          <>
            Kinds{" "}
            <span className="dim">{kinds.length === 0 ? "any kind" : kinds.map(kindTitle).join(", ")}</span>
          </>
        }
        open={isOpen}
        onToggle={setOpen}
      >
        <div className={classes.fields} role="group" aria-label="Kinds">
          {incident_kinds.map(({ kind, title }) => (
            <Checkbox
              key={kind}
              size="xs"
              label={title}
              checked={kinds.includes(kind as Kind)}
              onChange={() => form.setFieldValue("matchers.kinds", toggled(kinds, kind as Kind))}
            />
          ))}
        </div>
      </Disclosure>
      <FormError>{errorUnder(form.errors, "matchers.kinds")}</FormError>
    </div>
  );
}

interface NamesProps {
  form: UseFormReturnType<RouteDraft>;
  field: "roles" | "fabrics";
  label: string;
  names: readonly string[];
  onSearch: (text: string) => void;
}

/** Names as text, and a search that adds one. */
function Names({ form, field, label, names, onSearch }: NamesProps) {
  const path = `matchers.${field}` as const;
  const selected = parseList(form.values.matchers[field]);
  return (
    <div className={classes.stack}>
      <TextInput
        size="xs"
        label={label}
        description="One must match; empty: any"
        {...form.getInputProps(path)}
        error={errorUnder(form.errors, path)}
      />
      <NamePicker
        key={selected.length}
        aria-label={`Add to ${label.toLowerCase()}`}
        placeholder="Add by name"
        value=""
        names={names.filter((name) => !selected.includes(name))}
        onSearch={onSearch}
        onPick={(name) => name !== "" && form.setFieldValue(path, [...selected, name].join(", "))}
      />
    </div>
  );
}
