/** What a person does with one incident: acknowledge, snooze, assign, comment. */
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useIncidentAction } from "./actions";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import type { Incident, IncidentDetail } from "@/api/types";
import classes from "./IncidentPage.module.css";
import { AssignmentPicker } from "./AssignmentPicker";
import { SnoozePicker } from "./SnoozePicker";
import { AgeStamp } from "@/ui/AgeStamp";
import { EmptyState } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { notify } from "@/ui/notify";
import { Panel } from "@/ui/Panel";

const LONGEST = 2000;

/** In the header: two clicks to snooze, two to take it. */
export function QuickActions({ incident }: { incident: IncidentDetail }) {
  const { data: person } = useQuery(sessionQuery);
  const site = useSite()?.name;
  const action = useIncidentAction(incident.id, () => notify("good", "Incident changed."));
  if (incident.phase === "resolved" || person == null || !may.changeIncidents(person)) return null;
  return (
    <>
      <SnoozePicker
        what={incident.title}
        isSnoozed={incident.snoozed_until !== null}
        isBusy={action.isPending}
        onSnooze={(for_s) => action.mutate({ action: "snooze", for_s })}
      />
      {site !== undefined && (
        <AssignmentPicker
          site={site}
          me={person.username}
          owner={incident.owner}
          label={incident.owner === null ? "Assign" : `Owner: ${incident.owner}`}
          isBusy={action.isPending}
          onAssign={(owner) => action.mutate({ action: "assign", owner })}
        />
      )}
      <FormError>{action.error?.message}</FormError>
    </>
  );
}

/** On a line of the inbox. */
export function LineSnooze({ incident }: { incident: Incident }) {
  const { data: person } = useQuery(sessionQuery);
  const action = useIncidentAction(incident.id, () => notify("good", "Incident snoozed."));
  if (incident.phase === "resolved" || !may.changeIncidents(person)) return null;
  return (
    <SnoozePicker
      what={incident.title}
      isSnoozed={incident.snoozed_until !== null}
      isBusy={action.isPending}
      onSnooze={(for_s) => action.mutate({ action: "snooze", for_s })}
    />
  );
}

/** Comments, and the form for another one; an open incident may be acknowledged with it. */
export function Comments({ incident }: { incident: IncidentDetail }) {
  const { data: person } = useQuery(sessionQuery);
  return (
    <Panel title="Comments">
      {incident.comments.length === 0 ? (
        <EmptyState title="No comments." />
      ) : (
        <ul className={classes.comments} aria-label="Comments">
          {incident.comments.map(({ id, author, text, at }) => (
            <li key={id}>
              <span className="dim">
                {author}, <AgeStamp at={at} suffix="ago" />
              </span>
              <blockquote className={classes.comment}>{text}</blockquote>
            </li>
          ))}
        </ul>
      )}
      {may.changeIncidents(person) && (
        <CommentForm id={incident.id} mayAcknowledge={may.acknowledge(person, incident)} />
      )}
    </Panel>
  );
}

function CommentForm({ id, mayAcknowledge }: { id: number; mayAcknowledge: boolean }) {
  const form = useForm({ initialValues: { text: "" } });
  const action = useIncidentAction(id, () => {
    form.reset();
    notify("good", "Incident changed.");
  });
  const text = form.values.text.trim();
  return (
    <form
      className={classes.form}
      onSubmit={form.onSubmit(() => action.mutate({ action: "comments", text }))}
    >
      <Textarea
        label="Comment"
        description="Findings and actions, visible to everybody on call"
        autosize
        minRows={2}
        maxLength={LONGEST}
        {...form.getInputProps("text")}
      />
      <FormError>{action.error?.message}</FormError>
      <div className={classes.buttons}>
        {mayAcknowledge && (
          <Button
            size="xs"
            loading={action.isPending}
            onClick={() => action.mutate({ action: "acknowledge", comment: text })}
          >
            Acknowledge
          </Button>
        )}
        <Button type="submit" size="xs" variant="default" loading={action.isPending} disabled={text === ""}>
          Comment
        </Button>
      </div>
    </form>
  );
}
