/** Actions available to the user on this change, and the reasons for those that are not. */
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useChangeAction, type ChangeAction, useUndo } from "@/api/change-actions";
import { fieldErrors } from "@/api/problem";
import type { ChangeDetail, ChangeVerb, Plan } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import { ApproveForm } from "./ApproveForm";
import classes from "./ChangePage.module.css";
import { isOver } from "./labels";
import { Panel } from "@/ui/Panel";
import { count } from "@/util/units";
import { clockLeft } from "@/util/countdown";
import { useLocation, useNavigate } from "react-router";
import { carry } from "@/api/scope";
import { FormError } from "@/ui/FormError";

const VERB_LABELS: Record<ChangeVerb, string> = {
  plan: "Replan",
  approve: "Approve",
  apply: "Apply",
  confirm: "Confirm",
  roll_back: "Roll back",
  undo: "Undo this change",
  discard: "Discard",
};

interface ActionProps {
  change: ChangeDetail;
  action: ChangeAction;
}

export function Actions({ change, left }: { change: ChangeDetail; left: number | null }) {
  const action = useChangeAction(change.id);
  const may = new Set(change.may);
  const reasons = Object.entries(change.may_not ?? {}) as [ChangeVerb, string][];
  // A finished change can only be undone.
  const unavailable = reasons.filter(([verb]) => !isOver(change.state) || verb === "undo");
  if (may.size === 0 && unavailable.length === 0) return null;
  const { plan } = change;
  return (
    <Panel title="Actions">
      <div className={classes.actions} data-testid="actions">
        {(may.has("confirm") || may.has("roll_back")) && (
          <ConfirmActions change={change} action={action} left={left} />
        )}
        {may.has("approve") && plan !== null && <ApproveForm plan={plan} action={action} />}
        {may.has("apply") && plan !== null && <ApplyForm plan={plan} change={change} action={action} />}
        {(may.has("plan") || may.has("discard")) && (
          <div className={classes.row}>
            {may.has("plan") && <VerbButton verb="plan" action={action} />}
            {may.has("discard") && <VerbButton verb="discard" action={action} />}
          </div>
        )}
        {may.has("undo") && <UndoForm id={change.id} />}
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

function VerbButton({ verb, action }: { verb: "plan" | "discard"; action: ChangeAction }) {
  return (
    <Button size="xs" variant="default" disabled={action.isPending} onClick={() => action.mutate({ verb })}>
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
function ApplyForm({ plan: { digest }, change: { nodes, waves }, action }: ActionProps & { plan: Plan }) {
  const form = useForm({ initialValues: { timeout_s: "120", auto_confirm: false } });
  const { onSubmit, busy } = useSubmit(form, action, ({ timeout_s, auto_confirm }) => ({
    verb: "apply" as const,
    digest,
    timeoutS: Number(timeout_s),
    autoConfirm: auto_confirm,
  }));
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <div className={classes.row}>
        <NativeSelect
          size="xs"
          label="Automatic rollback after"
          data={TIMEOUTS}
          {...form.getInputProps("timeout_s")}
        />
        <Button type="submit" size="xs" loading={busy}>
          {`Apply to ${count(nodes, "node")} in ${count(waves, "wave")}`}
        </Button>
      </div>
      <Checkbox
        label="Confirm each wave automatically when all its probes pass. Otherwise an operator confirms each wave."
        {...form.getInputProps("auto_confirm", { type: "checkbox" })}
      />
    </form>
  );
}

/** Confirm or roll back while the guards wait. */
function ConfirmActions({ change: { may, wave }, left, action }: ActionProps & { left: number | null }) {
  const form = useForm({ initialValues: { reason: "" } });
  const { isPending } = action;
  const rollBack = () =>
    action.mutate(
      { verb: "roll_back", ...form.values },
      { onError: (error) => form.setErrors(fieldErrors(error)) },
    );
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
          disabled={isPending || (left !== null && left <= 0)}
          onClick={() => action.mutate({ verb: "confirm", wave })}
        >
          Confirm wave
        </Button>
      )}
      {may.includes("roll_back") && (
        <>
          <Button size="xs" variant="default" disabled={isPending} onClick={rollBack}>
            Roll back
          </Button>
          <TextInput
            size="xs"
            label="Reason for rollback"
            maxLength={2000}
            {...form.getInputProps("reason")}
          />
        </>
      )}
    </div>
  );
}

function UndoForm({ id }: { id: number }) {
  const form = useForm({ initialValues: { reason: "" } });
  const navigate = useNavigate();
  const { search } = useLocation();
  const undo = useUndo(id, (inverse) => void navigate(carry(`/changes/${inverse.id}`, search)));
  const { onSubmit, busy, error } = useSubmit(form, undo, (values) => values);
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className="dim">
        Plans a new change that returns the nodes with this change to their previous state. No node changes
        until that plan is approved and applied.
      </p>
      <div className={classes.row}>
        <TextInput size="xs" label="Reason for undo" maxLength={2000} {...form.getInputProps("reason")} />
        <Button type="submit" size="xs" variant="default" loading={busy}>
          Undo this change
        </Button>
      </div>
      <FormError>{error}</FormError>
    </form>
  );
}
