/** Approve the plan on screen, identified by its digest; every warning is accepted individually. */
import { Button, Checkbox, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ChangeAction } from "@/api/change-actions";
import type { Plan } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import classes from "./ChangePage.module.css";
import { byLevel, checkLabel } from "./labels";

const LONGEST = 2000;

export function ApproveForm({ plan, action }: { plan: Plan; action: ChangeAction }) {
  const form = useForm<{ comment: string; accepted: string[] }>({
    initialValues: { comment: "", accepted: [] },
  });
  const warnings = byLevel(plan.checks).warning.map((check) => ({
    key: `${plan.digest} ${check.check} ${check.text}`,
    check,
  }));
  const all = warnings.every(({ key }) => form.values.accepted.includes(key));
  const { onSubmit, busy } = useSubmit(form, action, ({ comment }) => ({
    verb: "approve" as const,
    digest: plan.digest,
    comment,
    acceptWarnings: warnings.length > 0,
  }));
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {warnings.length > 0 && (
        <Checkbox.Group label="Accept each warning to approve" {...form.getInputProps("accepted")}>
          <div className={classes.warnings}>
            {warnings.map(({ key, check: { check, text } }) => (
              <Checkbox
                key={key}
                value={key}
                label={
                  <>
                    <b>{checkLabel(check)}</b> {text}
                  </>
                }
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <Textarea label="Comment" autosize minRows={1} maxLength={LONGEST} {...form.getInputProps("comment")} />
      <div className={classes.row}>
        <Button type="submit" size="xs" disabled={!all || plan.blocked || plan.stale} loading={busy}>
          {`Approve plan ${plan.digest.slice(0, 8)}`}
        </Button>
        <span className="dim">
          {plan.blocked
            ? "Blocked by a failed check."
            : plan.stale
              ? "Stale: replan."
              : all
                ? "Approval changes no node."
                : "Accept all warnings first."}
        </span>
      </div>
    </form>
  );
}
