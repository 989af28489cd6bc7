/** Settings of a rule, for the whole site or for a part of it, with the preview of the last 7 days. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import {
  usePreviewRule,
  useSaveRule,
  type Rule,
  type RuleOverride,
  type RuleOverrideIn,
} from "@/api/alerting/rules";
import { useSubmit } from "@/api/useSubmit";
import { PreviewResult } from "./PreviewResult";
import { boundsText, changedNumbers, MATCH_HINTS, SCOPE_LABELS } from "./rules";
import classes from "./Rules.module.css";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";

interface Props {
  site: string;
  rule: Rule;
  /** `site`: the settings of the whole site; otherwise the first choice of a new override. */
  scope: RuleOverride["scope"];
  onDone?: () => void;
}

const ENABLED = [
  { value: "", label: "as before" },
  { value: "true", label: "enabled" },
  { value: "false", label: "disabled" },
];
const SEVERITIES = [
  { value: "", label: "the rule's" },
  { value: "warning", label: "warning" },
  { value: "critical", label: "critical" },
];

export function RuleForm({ site, rule, scope, onDone }: Props) {
  const isSite = scope === "site";
  const parameters = rule.parameters.filter(({ whole_site }) => isSite || !whole_site);
  const defaults = Object.fromEntries(rule.parameters.map((item) => [item.name, item.default]));
  const form = useForm({
    initialValues: {
      scope,
      match: "",
      enabled: isSite ? String(rule.enabled) : "",
      severity: isSite && rule.has_own_severity ? rule.severity : "",
      parameters: Object.fromEntries(
        parameters.map(({ name, value }) => [name, isSite ? String(value) : ""]),
      ),
    },
    validate: {
      match: (match, values) => (isSite || values.scope === "site" || match !== "" ? null : "Name the part."),
    },
  });
  const bodyOf = (values: typeof form.values): RuleOverrideIn => ({
    site,
    scope: values.scope,
    match: values.match,
    enabled: values.enabled === "" ? null : values.enabled === "true",
    severity: values.severity === "" ? null : (values.severity as Rule["severity"]),
    parameters: changedNumbers(values.parameters, isSite ? defaults : {}),
  });
  const save = useSaveRule(rule.kind, () => {
    notify("good", `${rule.name}: settings saved. They apply from the next round on.`);
    onDone?.();
  });
  const preview = usePreviewRule(rule.kind);
  const { onSubmit, busy, error } = useSubmit(form, save, bodyOf);
  const isOwned = isSite && rule.origin === "file";
  return (
    <form className={classes.stack} onSubmit={onSubmit} aria-label={isSite ? "Settings" : "New override"}>
      {isOwned && <p>The site file owns these settings: edit the file and import it.</p>}
      <div className={classes.fields}>
        {!isSite && (
          <>
            <NativeSelect
              size="xs"
              label="Applies to"
              data={rule.scopes
                .filter((value) => value !== "site")
                .map((value) => ({ value, label: SCOPE_LABELS[value] }))}
              {...form.getInputProps("scope")}
            />
            <TextInput
              size="xs"
              label="Name"
              placeholder={MATCH_HINTS[form.values.scope]}
              {...form.getInputProps("match")}
            />
          </>
        )}
        <NativeSelect
          size="xs"
          label="Enabled"
          data={isSite ? ENABLED.slice(1) : ENABLED}
          {...form.getInputProps("enabled")}
        />
        <NativeSelect size="xs" label="Severity" data={SEVERITIES} {...form.getInputProps("severity")} />
        {parameters.map((item) => (
          <TextInput
            key={item.name}
            size="xs"
            inputMode="decimal"
            label={item.unit === "" ? item.label : `${item.label} (${item.unit})`}
            description={`${item.help} ${boundsText(item)}.`}
            placeholder={isSite ? undefined : String(item.value)}
            {...form.getInputProps(`parameters.${item.name}`)}
          />
        ))}
      </div>
      <FormError>{error}</FormError>
      <div className={classes.row}>
        <Button size="xs" type="submit" loading={busy} disabled={isOwned}>
          Save
        </Button>
        {rule.has_preview && (
          <Button
            size="xs"
            variant="default"
            loading={preview.isPending}
            onClick={() => preview.mutate(bodyOf(form.values))}
          >
            Preview 7 days
          </Button>
        )}
      </div>
      <PreviewResult preview={preview.data} error={preview.error} />
    </form>
  );
}
