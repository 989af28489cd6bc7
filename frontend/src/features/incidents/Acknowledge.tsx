/** Acknowledges an incident with a comment. */
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { incidentQuery } from "@/api/queries";
import { useSubmit } from "@/api/useSubmit";
import classes from "./IncidentPage.module.css";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";
import { Panel } from "@/ui/Panel";

const LONGEST = 2000;

export function Acknowledge({ id }: { id: number }) {
  const form = useForm({ initialValues: { comment: "" } });
  const queries = useQueryClient();
  const acknowledge = useMutation({
    meta: { ownErrors: true },
    mutationFn: (body: { comment: string }) =>
      unwrap(client.POST("/api/v1/incidents/{id}/acknowledge", { params: { path: { id } }, body })),
    onSuccess: (incident) => {
      queries.setQueryData(incidentQuery(id).queryKey, incident);
      void queries.invalidateQueries({ queryKey: ["incidents"] });
      notify("good", "Incident acknowledged.");
    },
  });
  const { onSubmit, busy, error } = useSubmit(form, acknowledge, (values) => values);
  return (
    <Panel title="Acknowledge">
      <form className={classes.form} onSubmit={onSubmit}>
        <Textarea
          label="Comment"
          description="Findings and actions, visible to everybody on call"
          autosize
          minRows={2}
          maxLength={LONGEST}
          {...form.getInputProps("comment")}
        />
        <FormError>{error}</FormError>
        <Button type="submit" size="xs" loading={busy}>
          Acknowledge
        </Button>
      </form>
    </Panel>
  );
}
