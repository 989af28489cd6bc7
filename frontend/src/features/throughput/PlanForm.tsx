/** Form of a test plan: endpoints, parameters, schedule and limits, with the number of cells and their duration. */
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router";
import { agentsList, fabricsQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import { testPlanQuery, useSavePlan } from "@/api/throughput";
import type { Agent } from "@/api/types";
import { useNames } from "@/api/useNames";
import { useSubmit } from "@/api/useSubmit";
import {
  EMPTY_DRAFT,
  MAX_CELLS,
  draftOf,
  formatParsed,
  matrixOfDraft,
  parseNames,
  planOfDraft,
  sizeOf,
  takesReceivers,
  validate,
  withKind,
  type Draft,
  type Shape,
} from "./draft";
import { SHAPE_LABELS } from "./labels";
import { KINDS, settingFacts, TEST_KINDS, type Field, type Kind } from "./testKinds";
import classes from "./Tests.module.css";
import { Disclosure } from "@/ui/Disclosure";
import { FormError } from "@/ui/FormError";
import { NamePicker } from "@/ui/NamePicker";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { count, duration } from "@/util/units";

type PlanFormValues = UseFormReturnType<Draft>;

const SHAPES = Object.keys(SHAPE_LABELS) as readonly Shape[];

/** Endpoints and shape may be preset in the URL. */
export function NewPlanPage() {
  const site = useSite();
  const [params] = useSearchParams();
  const shape = SHAPES.find((option) => option === params.get("shape")) ?? "pair";
  const senders = params.get("senders") ?? "";
  const receivers = params.get("receivers") ?? "";
  const first: Draft = { ...EMPTY_DRAFT, shape, senders, receivers };
  return <PlanForm key={site?.name} site={site?.name ?? ""} first={first} id={null} title="New test plan" />;
}

export function EditPlanPage() {
  const id = Number(useParams().id);
  const plan = useQuery({ ...testPlanQuery(id), refetchInterval: false, refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={plan} what="this plan" page="Edit plan">
      {(data) => <PlanForm site={data.site} first={draftOf(data)} id={id} title={`Edit ${data.name}`} />}
    </QueryBoundary>
  );
}

interface Props {
  site: string;
  first: Draft;
  /** Null: a new plan. */
  id: number | null;
  title: string;
}

function PlanForm({ site, first, id, title }: Props) {
  const form = useForm<Draft>({ initialValues: first, validate });
  const navigate = useNavigate();
  const { search } = useLocation();
  const save = useSavePlan(id, ({ url }) => void navigate(carry(url, search)));
  const { onSubmit, busy, error } = useSubmit(form, save, (values) => planOfDraft(site, values));
  const draft = form.values;
  const [firstError] = Object.values(form.errors);
  return (
    <>
      <PageHeader title={title} headline={<PlanSizeText draft={draft} />} />
      <form className={classes.page} onSubmit={onSubmit} noValidate>
        <Panel title="Test and endpoints">
          <Endpoints form={form} site={site} />
        </Panel>
        <Panel title="Parameters" aside={<span className="dim">one cell per combination</span>}>
          <Parameters form={form} />
        </Panel>
        <Panel title="Schedule and limits">
          <Limits form={form} />
        </Panel>
        <FormError>{error}</FormError>
        <div className={classes.row}>
          <Button type="submit" size="sm" loading={busy} disabled={sizeOf(draft).isTooLarge}>
            Save plan
          </Button>
          {error === undefined && <FormError>{firstError}</FormError>}
          <span className="dim">
            {draft.schedule.trim() === ""
              ? "Saving does not start a run."
              : "The plan runs at its scheduled times."}
          </span>
        </div>
      </form>
    </>
  );
}

function Endpoints({ form, site }: { form: PlanFormValues; site: string }) {
  const { kind, shape } = form.values;
  const fabrics = useQuery({ ...fabricsQuery(site), enabled: site !== "" });
  const fabricNames = (fabrics.data ?? []).map(({ name }) => name);
  const hasReceivers = takesReceivers(shape);
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        <TextInput
          size="xs"
          label="Name"
          placeholder="shift3-shift7"
          maxLength={50}
          {...form.getInputProps("name")}
        />
        <NativeSelect
          size="xs"
          label="Test"
          value={kind}
          data={KINDS.map((value) => ({ value, label: TEST_KINDS[value].label }))}
          onChange={(event) => form.setValues(withKind(form.values, event.currentTarget.value as Kind))}
        />
        <NativeSelect
          size="xs"
          label="Shape"
          data={SHAPES.map((value) => ({ value, label: SHAPE_LABELS[value] ?? value }))}
          {...form.getInputProps("shape")}
        />
        <NativeSelect
          size="xs"
          label="Fabric"
          data={[{ value: "", label: "first common fabric" }, ...fabricNames]}
          {...form.getInputProps("fabric")}
        />
      </div>
      <div className={classes.fields}>
        <Nodes form={form} site={site} field="senders" label={hasReceivers ? "Senders" : "Endpoints"} />
        {hasReceivers && <Nodes form={form} site={site} field="receivers" label="Receivers" />}
      </div>
    </div>
  );
}

interface NodesProps {
  form: PlanFormValues;
  site: string;
  field: "senders" | "receivers";
  label: string;
}

const activeNode = ({ node, revoked }: Agent) => (revoked ? undefined : node);

/** Names of nodes as text, and a search of the nodes that have an agent. */
function Nodes({ form, site, field, label }: NodesProps) {
  const { names, search } = useNames(agentsList, site === "" ? undefined : site, activeNode);
  const selected = parseNames(form.values[field]);
  return (
    <div className={classes.ends}>
      <TextInput size="xs" label={label} placeholder="sp01, sp02" {...form.getInputProps(field)} />
      <NamePicker
        key={selected.length}
        aria-label={`Add to ${label.toLowerCase()}`}
        placeholder="Add node"
        value=""
        names={names.filter((name) => !selected.includes(name))}
        onSearch={search}
        onPick={(name) => name !== "" && form.setFieldValue(field, [...selected, name].join(", "))}
      />
    </div>
  );
}

function Parameters({ form }: { form: PlanFormValues }) {
  const [isOpen, setOpen] = useState(false);
  const { fields } = TEST_KINDS[form.values.kind];
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced);
  const hasAdvancedError = advanced.some(({ parameter }) => `matrix.${parameter}` in form.errors);
  const summary = settingFacts(matrixOfDraft(form.values))
    .filter(([term]) => advanced.some((field) => field.term === term))
    .map(([term, text]) => `${term} ${text}`)
    .join("; ");
  return (
    <div className={classes.stack}>
      <ParameterFields form={form} fields={fields.filter(({ isAdvanced }) => !isAdvanced)}>
        <TextInput
          size="xs"
          label="Repeats"
          type="number"
          min={1}
          max={20}
          {...form.getInputProps("repeats")}
        />
      </ParameterFields>
      {advanced.length > 0 && (
        <Disclosure
          summary={
            <>
              More settings <span className="dim">{summary}</span>
            </>
          }
          open={isOpen || hasAdvancedError}
          onToggle={setOpen}
        >
          <ParameterFields form={form} fields={advanced} />
        </Disclosure>
      )}
    </div>
  );
}

interface ParameterFieldsProps {
  form: PlanFormValues;
  fields: readonly Field[];
  /** Further text fields. */
  children?: React.ReactNode;
}

function ParameterFields({ form, fields, children }: ParameterFieldsProps) {
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        {fields
          .filter(({ type }) => type !== "options")
          .map((field) => (
            <ParameterInput key={field.parameter} form={form} field={field} />
          ))}
        {children}
      </div>
      {fields.map((field) => {
        if (field.type !== "options") return null;
        const { value, error, onChange } = form.getInputProps(`matrix.${field.parameter}`);
        return (
          <CheckboxGroup
            key={field.parameter}
            label={field.label}
            options={field.options}
            values={value}
            error={error}
            onChange={onChange}
          />
        );
      })}
    </div>
  );
}

function ParameterInput({ form, field }: { form: PlanFormValues; field: Field }) {
  const { parameter, label, help } = field;
  const parsed =
    field.type === "list" && field.isBytes ? formatParsed(String(form.values.matrix[parameter] ?? "")) : "";
  return (
    <TextInput
      size="xs"
      label={label}
      description={parsed === "" ? help : parsed}
      {...(field.type === "number"
        ? { type: "number", min: field.min ?? undefined, max: field.max ?? undefined, step: "any" }
        : {})}
      {...form.getInputProps(`matrix.${parameter}`)}
    />
  );
}

function Limits({ form }: { form: PlanFormValues }) {
  const bytes = formatParsed(form.values.budget_bytes);
  return (
    <div className={classes.fields}>
      <TextInput
        size="xs"
        label="Schedule (cron, UTC)"
        placeholder="0 3 * * *"
        description="Minute hour day month weekday; empty: on demand"
        {...form.getInputProps("schedule")}
      />
      <TextInput
        size="xs"
        label="Max cross traffic (%)"
        type="number"
        min={0}
        max={100}
        description="The test waits or aborts above this link utilisation"
        {...form.getInputProps("quiet_percent")}
      />
      <TextInput
        size="xs"
        label="Max seconds per day"
        type="number"
        min={1}
        max={86_400}
        description="Test time, UTC day; empty: unlimited"
        {...form.getInputProps("budget_s")}
      />
      <TextInput
        size="xs"
        label="Max data per day"
        description={bytes === "" ? "Bytes, e.g. 10G; empty: unlimited" : bytes}
        {...form.getInputProps("budget_bytes")}
      />
      <TextInput
        size="xs"
        label="Priority"
        type="number"
        min={0}
        max={9}
        description="0 to 9; higher values run first"
        {...form.getInputProps("priority")}
      />
      <TextInput size="xs" label="Note" maxLength={2000} {...form.getInputProps("note")} />
      <Checkbox label="Schedule enabled" {...form.getInputProps("enabled", { type: "checkbox" })} />
    </div>
  );
}

function PlanSizeText({ draft }: { draft: Draft }) {
  const { cells, seconds, isTooLarge } = sizeOf(draft);
  const time = seconds === null ? "; duration depends on the rate" : `, about ${duration(seconds)} per run`;
  return (
    <span data-testid="plan-size" className={isTooLarge ? classes.bad : undefined}>
      {isTooLarge
        ? `${cells} cells exceed the limit of ${MAX_CELLS} per run. Remove values.`
        : `${count(cells, "cell")}${time}.`}
    </span>
  );
}

interface CheckboxGroupProps<T> {
  label: string;
  values: readonly T[];
  options: readonly (readonly [value: T, label: string])[];
  error?: string | undefined;
  onChange: (values: T[]) => void;
}

/** A group of checkboxes; selected values keep the order of the options. */
function CheckboxGroup<T extends string | boolean>({
  label,
  values,
  options,
  error,
  onChange,
}: CheckboxGroupProps<T>) {
  const toggle = (value: T, isChecked: boolean) =>
    onChange(
      options
        .map(([option]) => option)
        .filter((option) => (option === value ? isChecked : values.includes(option))),
    );
  return (
    <fieldset className={classes.checks}>
      <legend>{label}</legend>
      {options.map(([value, text]) => (
        <Checkbox
          key={text}
          label={text}
          checked={values.includes(value)}
          onChange={(event) => toggle(value, event.currentTarget.checked)}
        />
      ))}
      <FormError>{error}</FormError>
    </fieldset>
  );
}
