/** Asking for a drill, now or later; a refusal says why and what would help. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { client, take } from "@/api/client";
import { carry, useParam } from "@/api/scope";
import type { DrillIn, Policy } from "@/api/types";
import { parseDrill, EMPTY_FORM, type DrillForm } from "./drills";
import classes from "./DrillsPage.module.css";
import { Panel } from "@/ui/Panel";

export function ScheduleForm({ policies }: { policies: readonly Policy[] }) {
  const [asked] = useParam("policy", "");
  const [node] = useParam("node", "");
  const [form, setForm] = useState<DrillForm>({ ...EMPTY_FORM, policy: asked, nodes: node });
  const set = (change: Partial<DrillForm>) => setForm((old) => ({ ...old, ...change }));
  const create = useCreate();
  const policy = policies.find(({ id }) => String(id) === form.policy);
  const body = parseDrill(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body !== null) create.mutate(body);
  };
  const text = (
    name: keyof DrillForm,
    label: string,
    more: Partial<React.ComponentProps<typeof TextInput>> = {},
  ) => (
    <TextInput
      size="xs"
      label={label}
      value={form[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <Panel title="Fail over on purpose">
      <form className={classes.stack} onSubmit={submit}>
        <p className="dim">
          Moves the nodes to another gateway, measures the outage and how full the fallback gets, and moves
          them back. It is refused when the plan's checks say that it would hurt.
        </p>
        <div className={classes.fields}>
          <NativeSelect
            size="xs"
            label="Policy"
            value={form.policy}
            data={[
              { value: "", label: "choose …" },
              ...policies.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={(event) => set({ policy: event.currentTarget.value, gateway: "" })}
          />
          <NativeSelect
            size="xs"
            label="To"
            value={form.gateway}
            data={[{ value: "", label: "each node's next" }, ...(policy?.gateways ?? [])]}
            onChange={(event) => set({ gateway: event.currentTarget.value })}
          />
          {text("nodes", "Only these nodes", { placeholder: "all of the policy's" })}
          {text("seconds", "For (s)", { type: "number", min: 5, max: 3600 })}
          {text("at", "When (local time; empty: now)", { type: "datetime-local" })}
          {text("everyDays", "Again every (days)", { type: "number", min: 1, max: 366 })}
          {text("reason", "Why", { maxLength: 2000 })}
        </div>
        {create.error !== null && (
          <p className={classes.why} role="alert">
            {create.error.message}
          </p>
        )}
        <Button type="submit" size="xs" disabled={body === null} loading={create.isPending}>
          {form.at === "" ? "Start the drill" : "Schedule the drill"}
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
    mutationFn: (body: DrillIn) => take(client.POST("/api/v1/drills", { body })),
    onSuccess: (drill) => {
      void queries.invalidateQueries({ queryKey: ["drills"] });
      void navigate(carry(`/drills/${drill.id}`, search));
    },
  });
}
