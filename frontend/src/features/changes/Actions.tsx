/** Actions available to the user on this change, and the reasons for those that are not. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useChangeAction, type Act } from "@/api/change-actions";
import type { ChangeDetail, ChangeVerb } from "@/api/types";
import { ApproveForm } from "./ApproveForm";
import classes from "./ChangePage.module.css";
import { isOver } from "./labels";
import { Panel } from "@/ui/Panel";
import { count } from "@/util/units";
import { clockLeft } from "@/util/countdown";

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

const TIMEOUTS = [
  { value: "30", label: "30 seconds" },
  { value: "60", label: "1 minute" },
  { value: "120", label: "2 minutes" },
  { value: "300", label: "5 minutes" },
  { value: "600", label: "10 minutes" },
];

/** Apply an approved plan: the guard timeout, and automatic confirmation of waves. */
function ApplyForm({ change: { plan, nodes, waves }, busy, onAct }: ActionProps) {
  const [timeout, setTimeout] = useState("120");
  const [auto, setAuto] = useState(false);
  if (plan === null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAct({ verb: "apply", digest: plan.digest, timeoutS: Number(timeout), autoConfirm: auto });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <div className={classes.row}>
        <NativeSelect
          size="xs"
          label="Automatic rollback after"
          value={timeout}
          data={TIMEOUTS}
          onChange={(event) => setTimeout(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={busy}>
          {`Apply to ${count(nodes, "node")} in ${count(waves, "wave")}`}
        </Button>
      </div>
      <label className={classes.accept}>
        <input type="checkbox" checked={auto} onChange={(event) => setAuto(event.currentTarget.checked)} />
        <span>
          Confirm each wave automatically when all its probes pass. Otherwise an operator confirms each wave.
        </span>
      </label>
    </form>
  );
}

/** Confirm or roll back while the guards wait. */
function ConfirmActions({ change: { may, wave }, left, busy, onAct }: ActionProps & { left: number | null }) {
  const [reason, setReason] = useState("");
  return (
    <div className={classes.row}>
      {left !== null && (
        <span className={classes.left} role="timer" aria-label="Time left to confirm" data-testid="left">
          {clockLeft(left)}
        </span>
      )}
      {may.includes("confirm") && (
        <Button
          size="xs"
          disabled={busy || (left !== null && left <= 0)}
          onClick={() => onAct({ verb: "confirm", wave })}
        >
          Confirm wave
        </Button>
      )}
      {may.includes("roll_back") && (
        <>
          <Button
            size="xs"
            variant="default"
            disabled={busy}
            onClick={() => onAct({ verb: "roll_back", reason })}
          >
            Roll back
          </Button>
          <TextInput
            size="xs"
            label="Reason for rollback"
            value={reason}
            maxLength={2000}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </div>
  );
}
