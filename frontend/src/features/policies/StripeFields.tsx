/** Fields of a stripe: how nodes are distributed over parallel gateways. */
import { NativeSelect, TextInput } from "@mantine/core";
import type { Stripe } from "./draft";
import classes from "./PoliciesPage.module.css";

const BALANCES = [
  { value: "count", label: "number of nodes" },
  { value: "weight", label: "gateway weights" },
  { value: "load", label: "measured load" },
];

export function StripeFields({ stripe, onChange }: { stripe: Stripe; onChange: (next: Stripe) => void }) {
  const weights = stripe.weights ?? {};
  return (
    <div className={classes.fields}>
      <TextInput
        size="xs"
        type="number"
        label="Backups per node"
        min={0}
        max={15}
        value={stripe.backups}
        onChange={(event) => onChange({ ...stripe, backups: Number(event.currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        label="Balance by"
        value={stripe.balance}
        data={BALANCES}
        onChange={(event) => onChange({ ...stripe, balance: event.currentTarget.value as Stripe["balance"] })}
      />
      <TextInput
        size="xs"
        label="Group by label"
        placeholder="quadrant"
        value={stripe.by_label}
        onChange={(event) => onChange({ ...stripe, by_label: event.currentTarget.value.trim() })}
      />
      {stripe.balance === "weight" &&
        stripe.gateways.map((gateway) => (
          <TextInput
            key={gateway}
            size="xs"
            type="number"
            label={`Weight of ${gateway}`}
            min={0}
            step="any"
            error={(weights[gateway] ?? 1) > 0 ? undefined : "must be above 0"}
            value={weights[gateway] ?? 1}
            onChange={(event) =>
              onChange({ ...stripe, weights: { ...weights, [gateway]: Number(event.currentTarget.value) } })
            }
          />
        ))}
    </div>
  );
}
