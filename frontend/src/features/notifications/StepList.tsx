/** Steps of a route: who is notified, and how long after the first message. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { Channel, Schedule } from "@/api/notifications/queries";
import classes from "./Notifications.module.css";
import { MOST_STEPS, newStep, type StepDraft, type Target } from "./routeDraft";
import { FormError } from "@/ui/FormError";
import { Icon } from "@/ui/Icon";

/** Channels and schedules that steps can name. */
export interface Targets {
  readonly channels: readonly Channel[];
  readonly schedules: readonly Schedule[];
}

/** Name of a target; its id if it is not known. */
export function targetName({ channels, schedules }: Targets, target: Target): string {
  const [what, id] = target.split(":");
  const rows: readonly { id: number; name: string }[] = what === "channel" ? channels : schedules;
  return rows.find((row) => String(row.id) === id)?.name ?? `${what} ${id}`;
}

interface Props {
  steps: readonly StepDraft[];
  targets: Targets;
  error: ReactNode;
  onChange: (steps: StepDraft[]) => void;
}

const FURTHER_AFTER = "15 min";

export function StepList({ steps, targets, error, onChange }: Props) {
  return (
    <div className={classes.stack}>
      <ol className={classes.list} aria-label="Steps">
        {steps.map((step, index) => (
          <li key={step.key} className={classes.item}>
            <Step
              number={index + 1}
              step={step}
              targets={targets}
              onChange={(next) => onChange(steps.map((other) => (other.key === step.key ? next : other)))}
              onRemove={steps.length > 1 ? () => onChange(steps.filter(({ key }) => key !== step.key)) : null}
            />
          </li>
        ))}
      </ol>
      <FormError>{error}</FormError>
      {steps.length < MOST_STEPS && (
        <div className={classes.row}>
          <Button
            size="xs"
            variant="default"
            onClick={() => onChange([...steps, newStep(steps.length === 0 ? "0 s" : FURTHER_AFTER)])}
          >
            Add a step
          </Button>
        </div>
      )}
    </div>
  );
}

interface StepProps {
  number: number;
  step: StepDraft;
  targets: Targets;
  onChange: (step: StepDraft) => void;
  /** Null: the only step. */
  onRemove: (() => void) | null;
}

function Step({ number, step, targets, onChange, onRemove }: StepProps) {
  const free = (what: "channel" | "schedule", rows: readonly { id: number; name: string }[]) =>
    rows
      .map(({ id, name }) => ({ value: `${what}:${id}` satisfies Target, label: name }))
      .filter(({ value }) => !step.targets.includes(value as Target));
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          size="xs"
          label={`Step ${number}: after`}
          description="Without acknowledgement, counted from the first message"
          placeholder="15 min"
          value={step.after}
          onChange={(event) => onChange({ ...step, after: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={`Step ${number}: add a channel or schedule`}
          description="A schedule: the person on call, by own channels"
          value=""
          data={[
            { value: "", label: "Select" },
            { group: "Channels", items: free("channel", targets.channels) },
            { group: "On-call schedules", items: free("schedule", targets.schedules) },
          ]}
          onChange={(event) => {
            const target = event.currentTarget.value as Target | "";
            if (target !== "") onChange({ ...step, targets: [...step.targets, target] });
          }}
        />
      </div>
      <div className={classes.row}>
        {step.targets.length === 0 && <span className="dim">Nobody yet.</span>}
        {step.targets.map((target) => (
          <button
            key={target}
            type="button"
            className="chip"
            onClick={() => onChange({ ...step, targets: step.targets.filter((other) => other !== target) })}
          >
            <span className="visually-hidden">Remove </span>
            {target.startsWith("schedule") ? "on call: " : ""}
            {targetName(targets, target)} <Icon name="close" size={14} />
          </button>
        ))}
        {onRemove !== null && (
          <Button size="compact-xs" variant="default" onClick={onRemove}>
            Remove step {number}
          </Button>
        )}
      </div>
    </>
  );
}
