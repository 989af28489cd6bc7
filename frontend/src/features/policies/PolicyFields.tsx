/** Fields of a policy: node group, return path and stripe. */
import { NativeSelect, Checkbox, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { PolicyIn } from "@/api/types";
import { parseLabels, formatLabels, parseNames } from "./group";
import classes from "./PoliciesPage.module.css";
import type { Stripe } from "./draft";
import { ParsedInput, OPTIONAL_TEXT, NUMBER } from "./ParsedInput";

interface GroupProps {
  form: UseFormReturnType<PolicyIn>;
  /** Roles and label names of the site's nodes. */
  roles: readonly string[];
  labels: readonly string[];
}

const OPTIONAL_NUMBER = {
  inputMode: "numeric",
  format: (value: number | null) => String(value ?? ""),
  parse: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : null),
} as const;

/** A member matches every field that is set. */
export function GroupFields({ form, roles, labels }: GroupProps) {
  return (
    <div className={classes.fields}>
      <ParsedInput
        label="Names or patterns"
        placeholder="sp*, origin1"
        format={(names: string[] = []) => names.join(", ")}
        parse={parseNames}
        {...form.getInputProps("nodes.names")}
      />
      <NativeSelect
        size="xs"
        label="Role"
        data={[{ value: "", label: "any role" }, ...roles]}
        {...form.getInputProps("nodes.role")}
      />
      <ParsedInput
        label="Node number from"
        {...OPTIONAL_NUMBER}
        {...form.getInputProps("nodes.number_from")}
      />
      <ParsedInput label="to" {...OPTIONAL_NUMBER} {...form.getInputProps("nodes.number_to")} />
      <ParsedInput
        label="Labels"
        placeholder={labels[0] === undefined ? "quadrant=2" : `${labels[0]}=…`}
        format={formatLabels}
        parse={parseLabels}
        {...form.getInputProps("nodes.labels")}
      />
    </div>
  );
}

/** Without a return path, replies may return through a failed gateway. */
export function ReturnPathFields({ form }: { form: UseFormReturnType<PolicyIn> }) {
  const isOn = form.values.return_path != null;
  return (
    <div className={classes.stack}>
      <Checkbox
        label="Route return traffic of these routers via the same gateways in the same order"
        checked={isOn}
        onChange={() =>
          form.setFieldValue("return_path", isOn ? null : { routers: [], prefix: "", target: null })
        }
      />
      {isOn ? (
        <div className={classes.fields}>
          <ParsedInput
            label="Routers"
            placeholder="router1, router2"
            format={(names: string[]) => names.join(", ")}
            parse={parseNames}
            {...form.getInputProps("return_path.routers")}
          />
          <TextInput
            size="xs"
            label="Network of the nodes"
            placeholder="10.1.0.0/24"
            {...form.getInputProps("return_path.prefix")}
          />
          <ParsedInput
            label="Target in this network"
            placeholder="10.1.0.1"
            {...OPTIONAL_TEXT}
            {...form.getInputProps("return_path.target")}
          />
        </div>
      ) : (
        <p className="dim">
          Without it, the routers keep their current return path, which may use a failed gateway; the plan
          checks for that.
        </p>
      )}
    </div>
  );
}

const BALANCES = [
  { value: "count", label: "number of nodes" },
  { value: "weight", label: "gateway weights" },
  { value: "load", label: "measured load" },
];

interface StripeProps {
  form: UseFormReturnType<PolicyIn>;
  stripe: Stripe;
}

/** How nodes are distributed over parallel gateways. */
export function StripeFields({ form, stripe }: StripeProps) {
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
