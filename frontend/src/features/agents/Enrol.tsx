/** Enrols an agent: creates a one-time token for a node and shows the command that uses it. */
import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { nodesList } from "@/api/queries";
import type { EnrolmentToken } from "@/api/types";
import { useNames } from "@/api/useNames";
import { useSubmit } from "@/api/useSubmit";
import classes from "./AgentsPage.module.css";
import { CommandLine } from "@/ui/states/CommandLine";
import { FormError } from "@/ui/FormError";
import { NamePicker } from "@/ui/NamePicker";
import { Panel } from "@/ui/Panel";
import { useClock } from "@/ui/useClock";
import { duration } from "@/util/units";

export function Enrol({ site }: { site: string }) {
  const { names, search } = useNames(nodesList, site, ({ name }) => name);
  const form = useForm({ initialValues: { node: "" } });
  const { node } = form.values;
  const create = useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: { site: string; node: string }) =>
      unwrap(client.POST("/api/v1/enrolment-tokens", { body })),
  });
  const { onSubmit, busy, error } = useSubmit(form, create, () => ({ site, node }));
  return (
    <Panel title="Enrol an agent">
      <form className={classes.form} onSubmit={onSubmit}>
        <NamePicker
          label="Node"
          placeholder="Type a name"
          value={node}
          names={names}
          onSearch={search}
          onPick={(name) => form.setFieldValue("node", name)}
        />
        <Button type="submit" size="xs" disabled={node === ""} loading={busy}>
          Create a one-time token
        </Button>
      </form>
      <FormError>{error}</FormError>
      {create.data !== undefined && <Token token={create.data} />}
    </Panel>
  );
}

function Token({ token: { token, node, expires_at } }: { token: EnrolmentToken }) {
  const left = (Date.parse(expires_at) - useClock()) / 1000;
  const command = `BACKSTAY_TOKEN=${token} backstay-agent enrol --state /var/lib/backstay-agent --backend ${globalThis.location.origin}`;
  return (
    <div className={classes.token} role="status">
      <p>
        Run this on <b>{node}</b>. The token works once,{" "}
        {left > 0 ? `for another ${duration(left)}` : "and has expired: create a new one"}; it is not shown
        again.
      </p>
      <CommandLine command={command} />
    </div>
  );
}
