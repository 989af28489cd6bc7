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
import { boundsText, changedNumbers, fieldProblem, labelText, toField } from "./parameters";
import { PreviewResult } from "./PreviewResult";
import { MATCH_HINTS, SCOPE_LABELS } from "./rules";
import classes from "./Rules.module.css";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";

/** What the form edits: the settings of the whole site, a new override, or an existing one. */
type Edited = "site" | "new" | RuleOverride;

interface Props {
  site: string;
  rule: Rule;
  edited: Edited;
  /** Operators save; everybody may preview. */
  maySave: boolean;
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

interface Values {
  scope: RuleOverride["scope"];
  match: string;
  enabled: string;
  severity: string;
  parameters: Record<string, string>;
}

function initialValues(rule: Rule, edited: Edited): Values {
  const { parameters } = rule;
  const fields = (of: (name: string, value: number) => number | undefined) =>
    Object.fromEntries(
      parameters.map(({ name, value, unit }) => {
        const known = of(name, value);
        return [name, known === undefined ? "" : toField(known, unit)];
      }),
    );
  if (edited === "site")
    return {
      scope: "site",
      match: "",
      enabled: String(rule.enabled),
      severity: rule.has_own_severity ? rule.severity : "",
      parameters: fields((_name, value) => value),
    };
  if (edited === "new")
    return { scope: "role", match: "", enabled: "", severity: "", parameters: fields(() => undefined) };
  return {
    scope: edited.scope,
    match: edited.match,
    enabled: edited.enabled === null ? "" : String(edited.enabled),
    severity: edited.severity ?? "",
    parameters: fields((name) => edited.parameters[name]),
  };
}

const titleOf = (edited: Edited): string =>
  edited === "site" ? "Settings" : edited === "new" ? "New override" : `Override for ${edited.name}`;

function useRuleForm({ site, rule, edited, onDone }: Props) {
  const isSite = edited === "site";
  const shown = rule.parameters.filter(({ whole_site }) => isSite || !whole_site);
  const defaults = Object.fromEntries(rule.parameters.map((item) => [item.name, item.default]));
  const form = useForm<Values>({
    initialValues: initialValues(rule, edited),
    validate: (values) => {
      const wrong = shown.map((item) => [
        `parameters.${item.name}`,
        fieldProblem(item, rule, values.parameters),
      ]);
      const match = edited === "new" && values.match === "" ? "Name the part." : null;
      return { ...Object.fromEntries(wrong), match };
    },
  });
  const bodyOf = (values: Values): RuleOverrideIn => ({
    site,
    scope: values.scope,
    match: values.match,
    enabled: values.enabled === "" ? null : values.enabled === "true",
    severity: values.severity === "" ? null : (values.severity as Rule["severity"]),
    parameters: changedNumbers(shown, values.parameters, isSite ? defaults : {}),
  });
  const save = useSaveRule(rule.kind, () => {
    notify("good", `${rule.name}: settings saved. They apply from the next round on.`);
    onDone?.();
  });
  const preview = usePreviewRule(rule.kind);
  const submit = useSubmit(form, save, bodyOf);
  const previewNow = () => {
    if (!form.validate().hasErrors) preview.mutate(bodyOf(form.values));
  };
  return { form, shown, preview, previewNow, ...submit };
}

type Form = ReturnType<typeof useRuleForm>["form"];

export function RuleForm(props: Props) {
  const { rule, edited, maySave, onDone } = props;
  const { form, shown, preview, previewNow, onSubmit, busy, error } = useRuleForm(props);
  const isSite = edited === "site";
  const isOwned = isSite && rule.origin === "file";
  return (
    <form className={classes.stack} onSubmit={onSubmit} aria-label={titleOf(edited)} noValidate>
      {isOwned && <p>The site file owns these settings: edit the file and import it.</p>}
      {!isSite && edited !== "new" && <h3 className={classes.title}>{titleOf(edited)}</h3>}
      <div className={classes.fields}>
        {edited === "new" && <PartFields rule={rule} form={form} />}
        <NativeSelect
          size="xs"
          label="Enabled"
          data={isSite ? ENABLED.slice(1) : ENABLED}
          autoFocus={!isSite && edited !== "new"}
          {...form.getInputProps("enabled")}
        />
        <NativeSelect size="xs" label="Severity" data={SEVERITIES} {...form.getInputProps("severity")} />
        {shown.map((item) => (
          <TextInput
            key={item.name}
            size="xs"
            inputMode="decimal"
            label={labelText(item)}
            description={`${item.help} ${boundsText(item)}.`}
            placeholder={isSite ? undefined : toField(item.value, item.unit)}
            {...form.getInputProps(`parameters.${item.name}`)}
          />
        ))}
      </div>
      <FormError>{error}</FormError>
      <div className={classes.row}>
        {maySave && (
          <Button size="xs" type="submit" loading={busy} disabled={isOwned}>
            Save
          </Button>
        )}
        {rule.has_preview && (
          <Button size="xs" variant="default" loading={preview.isPending} onClick={previewNow}>
            Preview 7 days
          </Button>
        )}
        {!isSite && onDone !== undefined && (
          <Button size="xs" variant="subtle" onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
      <PreviewResult preview={preview.data} error={preview.error} />
    </form>
  );
}

/** Which part of the site a new override is for. */
function PartFields({ rule, form }: { rule: Rule; form: Form }) {
  return (
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
  );
}
