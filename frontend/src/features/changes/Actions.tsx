/** Actions available to the user on this change, and the reasons for those that are not. */
import { Button } from "@mantine/core";
import { useChangeAction, type Act } from "@/api/change-actions";
import type { ChangeDetail, ChangeVerb } from "@/api/types";
import { ApplyForm } from "./ApplyForm";
import { ApproveForm } from "./ApproveForm";
import classes from "./ChangePage.module.css";
import { ConfirmActions } from "./ConfirmActions";
import { isOver } from "./labels";
import { Panel } from "@/ui/Panel";

const VERB_LABELS: Record<ChangeVerb, string> = {
  plan: "Replan",
  approve: "Approve",
  apply: "Apply",
  confirm: "Confirm",
  roll_back: "Roll back",
  discard: "Discard",
};

export interface ActionProps {
  change: ChangeDetail;
  busy: boolean;
  onAct: (act: Act) => void;
}

export function Actions({ change, left }: { change: ChangeDetail; left: number | null }) {
  const action = useChangeAction(change.id);
  const may = new Set(change.may);
  const unavailable = Object.entries(change.may_not ?? {}) as [ChangeVerb, string][];
  // A finished change lists no reasons.
  if (may.size === 0 && (unavailable.length === 0 || isOver(change.state))) return null;
  const props: ActionProps = { change, busy: action.isPending, onAct: (act) => action.mutate(act) };
  return (
    <Panel title="Actions">
      <div className={classes.actions} data-testid="actions">
        {(may.has("confirm") || may.has("roll_back")) && <ConfirmActions {...props} left={left} />}
        {may.has("approve") && <ApproveForm {...props} />}
        {may.has("apply") && <ApplyForm {...props} />}
        {(may.has("plan") || may.has("discard")) && (
          <div className={classes.row}>
            {may.has("plan") && <VerbButton verb="plan" {...props} />}
            {may.has("discard") && <VerbButton verb="discard" {...props} />}
          </div>
        )}
        {unavailable.length > 0 && (
          <ul className="dim" aria-label="Unavailable actions">
            {unavailable.map(([verb, reason]) => (
              <li key={verb}>
                <b>{VERB_LABELS[verb]}</b>: {reason}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function VerbButton({ verb, busy, onAct }: ActionProps & { verb: "plan" | "discard" }) {
  return (
    <Button size="xs" variant="default" disabled={busy} onClick={() => onAct({ verb })}>
      {VERB_LABELS[verb]}
    </Button>
  );
}
