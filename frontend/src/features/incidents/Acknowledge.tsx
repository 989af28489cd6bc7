/** Acknowledges an incident with a comment. */
import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { client, unwrap } from "@/api/client";
import { incidentQuery } from "@/api/queries";
import classes from "./IncidentPage.module.css";
import { notify } from "@/ui/notify";
import { Panel } from "@/ui/Panel";

const LONGEST = 2000;

export function Acknowledge({ id }: { id: number }) {
  const [comment, setComment] = useState("");
  const queries = useQueryClient();
  const acknowledge = useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/api/v1/incidents/{id}/acknowledge", { params: { path: { id } }, body: { comment } }),
      ),
    onSuccess: (incident) => {
      queries.setQueryData(incidentQuery(id).queryKey, incident);
      void queries.invalidateQueries({ queryKey: ["incidents"] });
      notify("good", "Incident acknowledged.");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    acknowledge.mutate();
  };
  return (
    <Panel title="Acknowledge">
      <form className={classes.form} onSubmit={submit}>
        <Textarea
          label="Comment"
          description="Findings and actions, visible to everybody on call"
          autosize
          minRows={2}
          maxLength={LONGEST}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={acknowledge.isPending}>
          Acknowledge
        </Button>
      </form>
    </Panel>
  );
}
