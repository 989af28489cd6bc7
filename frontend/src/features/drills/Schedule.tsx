/** Form to run or schedule a drill. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { client, unwrap } from "@/api/client";
import { carry, useParam } from "@/api/scope";
import type { DrillIn, Policy } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import { parseDrill, EMPTY_FORM, type DrillForm } from "./drills";
import classes from "./DrillsPage.module.css";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";

export function ScheduleForm({ policies }: { policies: readonly Policy[] }) {
  const [policyParam] = useParam("policy", "");
  const [node] = useParam("node", "");
  const form = useForm<DrillForm>({ initialValues: { ...EMPTY_FORM, policy: policyParam, nodes: node } });
  const policy = policies.find(({ id }) => String(id) === form.values.policy);
  const { onSubmit, busy, error } = useSubmit(form, useCreate(), parseDrill);
  const text = (
    name: keyof DrillForm,
    label: string,
    more: Partial<React.ComponentProps<typeof TextInput>> = {},
  ) => <TextInput size="xs" label={label} {...form.getInputProps(name)} {...more} />;
  return (
    <Panel title="Run a drill">
      <form className={classes.stack} onSubmit={onSubmit}>
        <p className="dim">
          Moves the nodes to another gateway, measures the outage and the load of the fallback, and moves them
          back. A drill is refused when the plan checks predict an impact.
        </p>
        <div className={classes.fields}>
          <NativeSelect
            size="xs"
            label="Policy"
            {...form.getInputProps("policy")}
            data={[
              { value: "", label: "Select a policy" },
              ...policies.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(event) => form.setValues({ policy: event.currentTarget.value, gateway: "" })}
          />
          <NativeSelect
            size="xs"
            label="Gateway"
            data={[{ value: "", label: "next gateway of each node" }, ...(policy?.gateways ?? [])]}
            {...form.getInputProps("gateway")}
          />
          {text("nodes", "Nodes", { placeholder: "all nodes of the policy" })}
          {text("seconds", "Duration (s)", { type: "number", min: 5, max: 3600 })}
          {text("at", "Start (local time; empty: now)", { type: "datetime-local" })}
          {text("every_days", "Repeat every (days)", { type: "number", min: 1, max: 366 })}
          {text("reason", "Reason", { maxLength: 2000 })}
        </div>
        <FormError>{error}</FormError>
        <Button type="submit" size="xs" disabled={parseDrill(form.values) === null} loading={busy}>
          {form.values.at === "" ? "Start drill" : "Schedule drill"}
        </Button>
      </form>
    </Panel>
  );
}

function useCreate() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const queries = useQueryClient();
  return useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: DrillIn) => unwrap(client.POST("/api/v1/drills", { body })),
    onSuccess: (drill) => {
      void queries.invalidateQueries({ queryKey: ["drills"] });
      void navigate(carry(`/drills/${drill.id}`, search));
    },
  });
}
