/** Form to create a change that deploys a policy. The server plans it immediately; nothing is applied. */
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useLocation, useNavigate } from "react-router";
import { usePropose } from "@/api/change-actions";
import { carry } from "@/api/scope";
import type { ChangeIn, Policy } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import classes from "./PoliciesPage.module.css";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";

export function MakePlan({
  site,
  policy: { id, name, gateways, stripe, progress },
}: {
  site: string;
  policy: Policy;
}) {
  const form = useForm({ initialValues: { reason: "", ticket: "", wave_size: "" } });
  const navigate = useNavigate();
  const { search } = useLocation();
  const propose = usePropose((change) => void navigate(carry(`/changes/${change.id}`, search)), true);
  const title = `${name}: ${stripe === null ? gateways.join(", then ") : `stripe over ${gateways.join(", ")}`}`;
  const { onSubmit, busy, error } = useSubmit(form, propose, ({ wave_size, ...values }): ChangeIn => ({
    ...values,
    site,
    kind: "policies",
    policies: [id],
    nodes: [],
    title,
    wave_size: wave_size === "" ? null : Number(wave_size),
  }));
  return (
    <Panel title="Deploy this policy">
      <form className={classes.stack} onSubmit={onSubmit}>
        <p className="dim">
          A plan shows the changes on every node and the impact of every single failure. Nodes change only
          after it is approved and applied. Current state: {progress.text}.
        </p>
        <div className={classes.row}>
          <TextInput size="xs" label="Reason" maxLength={2000} {...form.getInputProps("reason")} />
          <TextInput size="xs" label="Ticket" maxLength={100} {...form.getInputProps("ticket")} />
          <TextInput
            size="xs"
            label="Max nodes per wave"
            placeholder="1, 10 %, all"
            type="number"
            min={1}
            max={10_000}
            {...form.getInputProps("wave_size")}
          />
          <Button type="submit" size="xs" loading={busy}>
            Create plan
          </Button>
        </div>
        <FormError>{error}</FormError>
      </form>
    </Panel>
  );
}
