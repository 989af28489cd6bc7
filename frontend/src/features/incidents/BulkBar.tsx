/** Actions on exactly the incidents that the filters select, and what the list hides. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { summaryQuery, useBulkAction } from "./actions";
import type { BulkIn, IncidentSummary } from "@/api/types";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import classes from "./BulkBar.module.css";
import { AssignmentPicker } from "./AssignmentPicker";
import { SnoozePicker } from "./SnoozePicker";
import { confirm, ConfirmButton } from "@/ui/confirm";
import { notify } from "@/ui/notify";
import { count } from "@/util/units";

type Filter = BulkIn["filter"];

interface Props {
  site: string;
  filter: Filter;
  /** Whether the list leaves out muted incidents. */
  hidesMuted: boolean;
  onShowMuted: () => void;
}

export function BulkBar({ site, filter, hidesMuted, onShowMuted }: Props) {
  const { data: person } = useQuery(sessionQuery);
  const { data: summary } = useQuery(summaryQuery(site, filter));
  if (summary === undefined) return null;
  const muted = summary.snoozed + summary.in_maintenance;
  return (
    <div className={classes.bar} role="group" aria-label="All matching incidents">
      <span>{count(summary.count, "matching incident")}</span>
      {may.changeIncidents(person) && summary.count > 0 && person != null && (
        <Actions site={site} filter={filter} summary={summary} me={person.username} />
      )}
      <span className={`dim ${classes.hidden}`} data-testid="hidden">
        {hiddenText(summary)}
      </span>
      {hidesMuted && muted > 0 && (
        <Button size="compact-xs" variant="subtle" onClick={onShowMuted}>
          Show {count(muted, "muted incident")}
        </Button>
      )}
    </div>
  );
}

/** `Of the site: 2 snoozed, 1 in maintenance, 4 suppressed.` Always shown, also if nothing is hidden. */
export function hiddenText({ snoozed, in_maintenance, suppressed }: IncidentSummary): string {
  return `Of the site: ${snoozed} snoozed, ${in_maintenance} in maintenance, ${suppressed} suppressed.`;
}

interface ActionsProps {
  site: string;
  filter: Filter;
  summary: IncidentSummary;
  me: string;
}

function Actions({ site, filter, summary, me }: ActionsProps) {
  const bulk = useBulkAction((changed) => notify("good", `${count(changed, "incident")} changed.`));
  const { count: number, digest } = summary;
  const seen = { site, filter, count: number, digest, comment: "" };
  const all = count(number, "incident");
  return (
    <>
      <ConfirmButton
        isBusy={bulk.isPending}
        title={`Acknowledge ${all}?`}
        consequence="Escalation of all of them stops; acknowledged and resolved ones stay as they are."
        action="Acknowledge"
        onConfirm={() => bulk.mutate({ ...seen, action: "acknowledge" })}
      >
        Acknowledge all
      </ConfirmButton>
      <SnoozePicker
        what={`all ${number}`}
        isSnoozed={filter.muted === true}
        isBusy={bulk.isPending}
        onSnooze={(for_s) => bulk.mutate({ ...seen, action: "snooze", for_s })}
      />
      <AssignmentPicker
        site={site}
        me={me}
        owner=""
        label="Assign all"
        isBusy={bulk.isPending}
        onAssign={(owner) =>
          confirm({
            title: owner === null ? `Remove the owner of ${all}?` : `Assign ${all} to ${owner}?`,
            consequence: "Their owners are replaced; resolved ones stay as they are.",
            action: owner === null ? "Remove owner" : "Assign",
            onConfirm: () => bulk.mutate({ ...seen, action: "assign", owner }),
          })
        }
      />
    </>
  );
}
