/** A new limit on a device metric, or an existing one, with the preview of the last 7 days. */
import { Button, Checkbox, NativeSelect, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { usePreviewLimit, useSaveLimit, type MetricLimit, type MetricLimitIn } from "@/api/alerting/rules";
import { useSubmit } from "@/api/useSubmit";
import { PreviewResult } from "./PreviewResult";
import classes from "./Rules.module.css";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";

interface Props {
  site: string;
  /** Null: a new one. */
  limit: MetricLimit | null;
  onDone: () => void;
}

interface Values {
  name: string;
  metric: string;
  side: string;
  raise_at: string;
  clear_at: string;
  for_s: string;
  severity: string;
  subject: string;
  role: string;
  /** `rack=a1`, one each. */
  labels: string[];
  enabled: boolean;
}

const EMPTY: Values = {
  name: "",
  metric: "",
  side: "above",
  raise_at: "",
  clear_at: "",
  for_s: "60",
  severity: "warning",
  subject: "",
  role: "",
  labels: [],
  enabled: true,
};

const valuesOf = (limit: MetricLimit): Values => ({
  name: limit.name,
  metric: limit.metric,
  side: limit.above ? "above" : "below",
  raise_at: String(limit.raise_at),
  clear_at: String(limit.clear_at),
  for_s: String(limit.for_s),
  severity: limit.severity,
  subject: limit.subject,
  role: limit.role,
  labels: Object.entries(limit.labels).map(([name, value]) => `${name}=${value}`),
  enabled: limit.enabled,
});

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

const RULES = {
  name: (text: string) => (/^[A-Za-z0-9_-]{1,50}$/.test(text) ? null : "Letters, digits, - and _."),
  metric: (text: string) => (text === "" ? "Name a metric, such as entity.temperature." : null),
  raise_at: (text: string) => (isNumber(text) ? null : "A number."),
  clear_at: (text: string) => (text.trim() === "" || isNumber(text) ? null : "A number."),
  for_s: (text: string) => (isNumber(text) && Number(text) >= 0 ? null : "Seconds, at least 0."),
  labels: (labels: string[]) =>
    labels.every((label) => label.indexOf("=") > 0) ? null : "name=value, such as rack=a1.",
};

function bodyOf(site: string, values: Values): MetricLimitIn {
  const labels = values.labels.map((label) => {
    const at = label.indexOf("=");
    return [label.slice(0, at), label.slice(at + 1)] as const;
  });
  return {
    site,
    name: values.name,
    metric: values.metric,
    above: values.side === "above",
    raise_at: Number(values.raise_at),
    clear_at: Number(values.clear_at.trim() === "" ? values.raise_at : values.clear_at),
    for_s: Number(values.for_s),
    severity: values.severity as MetricLimit["severity"],
    subject: values.subject,
    role: values.role,
    labels: Object.fromEntries(labels),
    enabled: values.enabled,
  };
}

export function LimitForm({ site, limit, onDone }: Props) {
  const form = useForm<Values>({ initialValues: limit === null ? EMPTY : valuesOf(limit), validate: RULES });
  const save = useSaveLimit(() => {
    notify("good", "Metric limit saved. It applies from the next round on.");
    onDone();
  });
  const preview = usePreviewLimit();
  const { onSubmit, busy, error } = useSubmit(form, save, (values) => ({
    id: limit?.id ?? null,
    body: bodyOf(site, values),
  }));
  const previewNow = () => {
    if (!form.validate().hasErrors) preview.mutate(bodyOf(site, form.values));
  };
  const unit = limit === null || limit.unit === "" ? "" : ` (${limit.unit})`;
  const text = (name: Exclude<keyof Values, "labels" | "enabled">, label: string, description: string) => (
    <TextInput size="xs" label={label} description={description} {...form.getInputProps(name)} />
  );
  const title = limit === null ? "New limit" : `Limit ${limit.name}`;
  return (
    <form className={classes.stack} onSubmit={onSubmit} aria-label={title} noValidate>
      {limit !== null && <h3 className={classes.title}>{title}</h3>}
      <div className={classes.fields}>
        {text("name", "Name", "Unique at the site.")}
        {text("metric", "Metric", "Such as entity.temperature.")}
        <NativeSelect
          size="xs"
          label="Wrong"
          description="On which side of the limit."
          data={["above", "below"]}
          {...form.getInputProps("side")}
        />
        <TextInput
          size="xs"
          label={`Limit${unit}`}
          description="In the metric's unit; of a counter per second."
          autoFocus={limit !== null}
          {...form.getInputProps("raise_at")}
        />
        {text("clear_at", `Resolves at${unit}`, "Empty: at the limit.")}
        {text("for_s", "For (s)", "So long before an incident opens.")}
        <NativeSelect
          size="xs"
          label="Severity"
          description="Of its incidents."
          data={["warning", "critical"]}
          {...form.getInputProps("severity")}
        />
        {text("subject", "Ports or parts", "Pattern such as temp*; empty: all.")}
        {text("role", "Role", "Only nodes of this role; empty: all.")}
        <TagsInput
          size="xs"
          label="Labels"
          description="Only nodes with all of these, such as rack=a1; Enter adds one."
          splitChars={[]}
          {...form.getInputProps("labels")}
        />
      </div>
      <Checkbox size="xs" label="Enabled" {...form.getInputProps("enabled", { type: "checkbox" })} />
      <FormError>{error}</FormError>
      <div className={classes.row}>
        <Button size="xs" type="submit" loading={busy}>
          Save
        </Button>
        <Button size="xs" variant="default" loading={preview.isPending} onClick={previewNow}>
          Preview 7 days
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <PreviewResult preview={preview.data} error={preview.error} />
    </form>
  );
}
