/** The planner's parameters; an empty field has the default or the gateway's measured value. */
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { HippiModel } from "@/api/models/hold-time";
import classes from "./HoldTime.module.css";
import { GROUPS, isWhole, type PlannerForm } from "./parameters";
import { FormError } from "@/ui/FormError";

interface Props {
  initial: PlannerForm;
  model: HippiModel | undefined;
  error: string | undefined;
  onSubmit: (values: PlannerForm) => void;
}

export function ParameterFields({ initial, model, error, onSubmit }: Props) {
  const form = useForm<PlannerForm>({ initialValues: initial });
  const gateways = [...new Set([...(model?.gateways.map(({ node }) => node) ?? []), initial.gateway])]
    .filter((node) => node !== "")
    .map((node) => ({ value: node, label: `measured at ${node}` }));
  return (
    <form className={classes.form} onSubmit={form.onSubmit(onSubmit)}>
      <NativeSelect
        size="xs"
        label="Values of empty fields"
        description="Values that the gateway did not report stay unknown"
        maw={320}
        data={[{ value: "", label: "published case (CASA)" }, ...gateways]}
        {...form.getInputProps("gateway")}
      />
      <div className={classes.groups}>
        {GROUPS.map(({ title, fields }) => (
          <fieldset key={title} className={classes.group}>
            <legend>{title}</legend>
            <div className={classes.fields}>
              {fields.map((field) => (
                <TextInput
                  key={field.name}
                  size="xs"
                  type="number"
                  label={field.label}
                  min={field.min}
                  max={field.max}
                  step={isWhole(field) ? 1 : "any"}
                  placeholder={placeholder(model, field.inForce)}
                  {...form.getInputProps(field.name)}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <Checkbox
        label="Packets occupy whole bursts (1 KiB) of the buffer"
        {...form.getInputProps("whole_bursts", { type: "checkbox" })}
      />
      <FormError>{error}</FormError>
      <div className={classes.actions}>
        <Button type="submit" size="xs">
          Calculate
        </Button>
      </div>
    </form>
  );
}

function placeholder(
  model: HippiModel | undefined,
  inForce: (parameters: HippiModel["parameters"]) => number | null,
): string {
  const value = model === undefined ? null : inForce(model.parameters);
  return value === null ? "unknown" : String(Number(value.toPrecision(6)));
}
