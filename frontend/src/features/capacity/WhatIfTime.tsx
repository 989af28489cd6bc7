/** The time picker for one moment: presets, typed and absolute times. */
import { Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { TimePicker } from "@/ui/time/TimeRange";
import classes from "@/ui/time/TimeRange.module.css";
import { canonical, describeMoment, moment, MOMENTS } from "@/util/time";

interface Props {
  /** As in the URL; empty: now. */
  at: string;
  onChange: (at: string) => void;
}

export function MomentPicker({ at, onChange }: Props) {
  return (
    <TimePicker label="Moment" text={describeMoment(at)} title="Choose a moment">
      {(close) => {
        const choose = (next: string) => {
          onChange(next);
          close();
        };
        return (
          <>
            <Moments at={at} onChoose={choose} />
            <TypedMoment at={at} onChoose={choose} />
          </>
        );
      }}
    </TimePicker>
  );
}

function Moments({ at, onChoose }: { at: string; onChoose: (at: string) => void }) {
  return (
    <div className={classes.moments} role="group" aria-label="Moments">
      {MOMENTS.map(({ label, text, of }) => (
        <Button
          key={label}
          size="xs"
          variant={describeMoment(at) === text ? "filled" : "default"}
          onClick={() => onChoose(of(Date.now() / 1000))}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function TypedMoment({ at, onChoose }: { at: string; onChoose: (at: string) => void }) {
  const [text, setText] = useState(at);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const clean = canonical(text.trim() === "" ? "now" : text, Date.now() / 1000);
    const found = moment(clean, Date.now() / 1000);
    if (found === null) setError("Invalid moment. Examples: now-1h, yesterday, 13:50, 2026-05-01 10:00");
    else if (found > Date.now() / 1000) setError("The moment is in the future.");
    else onChoose(clean === "now" ? "" : clean);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label="Custom moment"
        description="now-1h, yesterday, 13:50 or 2026-05-01 10:00"
        size="xs"
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <div className={classes.actions}>
        <Button size="xs" type="submit">
          Apply
        </Button>
      </div>
    </form>
  );
}
