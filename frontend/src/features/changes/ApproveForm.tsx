/** Approve the plan on screen, identified by its digest; every warning is accepted individually. */
import { Button, Textarea } from "@mantine/core";
import { useState, type FormEvent } from "react";
import type { ActionProps } from "./Actions";
import classes from "./ChangePage.module.css";
import { byLevel, checkLabel } from "./labels";

const LONGEST = 2000;

export function ApproveForm({ change: { plan }, busy, onAct }: ActionProps) {
  const [comment, setComment] = useState("");
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  if (plan === null) return null;
  const warnings = byLevel(plan.checks).warning.map((check) => ({
    key: `${plan.digest} ${check.check} ${check.text}`,
    check,
  }));
  const all = warnings.every(({ key }) => accepted.has(key));
  const toggle = (key: string) =>
    setAccepted((old) => new Set(old.has(key) ? [...old].filter((one) => one !== key) : [...old, key]));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAct({ verb: "approve", digest: plan.digest, comment, acceptWarnings: warnings.length > 0 });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      {warnings.length > 0 && (
        <fieldset>
          <legend>Accept each warning to approve</legend>
          {warnings.map(({ key, check: { check, text } }) => (
            <label key={key} className={classes.accept}>
              <input type="checkbox" checked={accepted.has(key)} onChange={() => toggle(key)} />
              <span>
                <b>{checkLabel(check)}</b> {text}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Textarea
        label="Comment"
        autosize
        minRows={1}
        maxLength={LONGEST}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
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
