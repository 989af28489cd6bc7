/** Fields of a stripe: how nodes are distributed over parallel gateways. */
import { NativeSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { PolicyIn } from "@/api/types";
import type { Stripe } from "./draft";
import classes from "./PoliciesPage.module.css";
import { NUMBER, ParsedInput } from "./ParsedInput";

const BALANCES = [
  { value: "count", label: "number of nodes" },
  { value: "weight", label: "gateway weights" },
  { value: "load", label: "measured load" },
];

interface Props {
  form: UseFormReturnType<PolicyIn>;
  stripe: Stripe;
}

export function StripeFields({ form, stripe }: Props) {
  const weights = stripe.weights ?? {};
  return (
    <div className={classes.fields}>
      <ParsedInput
        label="Backups per node"
        min={0}
        max={15}
        {...NUMBER}
        {...form.getInputProps("stripe.backups")}
      />
      <NativeSelect size="xs" label="Balance by" data={BALANCES} {...form.getInputProps("stripe.balance")} />
      <ParsedInput
        label="Group by label"
        placeholder="quadrant"
        format={(label: string) => label}
        parse={(text) => text.trim()}
        {...form.getInputProps("stripe.by_label")}
      />
      {stripe.balance === "weight" &&
        stripe.gateways.map((gateway) => (
          <ParsedInput
            key={gateway}
            label={`Weight of ${gateway}`}
            min={0}
            step="any"
            {...NUMBER}
            error={(weights[gateway] ?? 1) > 0 ? undefined : "must be above 0"}
            value={weights[gateway] ?? 1}
            onChange={(weight) => form.setFieldValue("stripe.weights", { ...weights, [gateway]: weight })}
          />
        ))}
    </div>
  );
}
