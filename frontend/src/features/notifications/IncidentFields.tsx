/** Which incidents a route takes: severity, kinds, roles, fabrics, labels and times. */
import { Checkbox, TagsInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { groupPreviewQuery } from "@/api/failover";
import { fabricsList } from "@/api/queries";
import { useNames } from "@/api/useNames";
import classes from "./Notifications.module.css";
import { errorUnder, type RouteDraft } from "./routeDraft";
import { kindTitle } from "./routeText";
import { WeeklyTimes, ZoneInput } from "./WeeklyTimes";
import { Disclosure } from "@/ui/Disclosure";
import { FormError } from "@/ui/FormError";
import { incident_kinds } from "@/util/spec.json";

type Severity = RouteDraft["matchers"]["severities"][number];
type Kind = RouteDraft["matchers"]["kinds"][number];

const ONE = "One must match; empty: any. Enter adds one.";
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
        <Names
          form={form}
          field="roles"
          label="Roles"
          description={ONE}
          placeholder="gateway"
          names={group.data?.roles ?? []}
        />
        <Names
          form={form}
          field="fabrics"
          label="Fabrics"
          description={ONE}
          placeholder="sp-switch"
          names={fabrics.names}
          onSearch={fabrics.search}
        />
        <Names
          form={form}
          field="labels"
          label="Labels"
          description="Of the node; all must match. Enter adds one."
          placeholder={`${label ?? "rack"}=7`}
          names={[]}
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
  field: "roles" | "fabrics" | "labels";
  label: string;
  description: string;
  placeholder: string;
  names: readonly string[];
  onSearch?: (text: string) => void;
}

/** Names differ by case too. */
const isIn = (name: string, names: string[]): boolean => names.includes(name);

/** Names as tags, with those of the site as suggestions; a name may have commas. */
function Names({ form, field, label, description, placeholder, names, onSearch }: NamesProps) {
  const path = `matchers.${field}` as const;
  const values = form.values.matchers[field];
  return (
    <TagsInput
      size="xs"
      label={label}
      description={description}
      placeholder={values.length === 0 ? placeholder : ""}
      data={[...names]}
      value={[...values]}
      splitChars={[]}
      isDuplicate={isIn}
      comboboxProps={{ withinPortal: false }}
      clearable
      clearButtonProps={{ "aria-label": `Remove all ${label.toLowerCase()}` }}
      error={errorUnder(form.errors, path)}
      onChange={(next) => form.setFieldValue(path, next)}
      {...(onSearch === undefined ? {} : { onSearchChange: onSearch })}
    />
  );
}
