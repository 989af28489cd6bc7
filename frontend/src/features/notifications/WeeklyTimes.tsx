/** Editor of spans of a week with their time zone. */
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useId, type ReactNode } from "react";
import type { WeeklyTime } from "@/api/notifications/queries";
import classes from "./Notifications.module.css";
import { WEEKDAYS, WORKING_HOURS, ZONES } from "./weeklyText";
import { FormError } from "@/ui/FormError";

interface TimesProps {
  legend: string;
  times: readonly WeeklyTime[];
  /** Meaning of an empty list. */
  none: string;
  error: ReactNode;
  onChange: (times: WeeklyTime[]) => void;
}

export function WeeklyTimes({ legend, times, none, error, onChange }: TimesProps) {
  const replace = (index: number, next: WeeklyTime) =>
    onChange(times.map((time, at) => (at === index ? next : time)));
  return (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      {times.length === 0 && <p className="dim">{none}</p>}
      <ul className={classes.list}>
        {times.map((time, index) => (
          // Spans have no identity but their position, and their inputs are controlled.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className={classes.item}>
            <Span
              number={index + 1}
              time={time}
              onChange={(next) => replace(index, next)}
              onRemove={() => onChange(times.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ul>
      <FormError>{error}</FormError>
      <div className={classes.row}>
        <Button size="xs" variant="default" onClick={() => onChange([...times, WORKING_HOURS])}>
          Add a time
        </Button>
      </div>
    </fieldset>
  );
}

interface SpanProps {
  number: number;
  time: WeeklyTime;
  onChange: (time: WeeklyTime) => void;
  onRemove: () => void;
}

function Span({ number, time, onChange, onRemove }: SpanProps) {
  const { weekdays, start, end } = time;
  const toggle = (day: number) =>
    onChange({
      ...time,
      weekdays: weekdays.includes(day)
        ? weekdays.filter((other) => other !== day)
        : [...weekdays, day].toSorted((a, b) => a - b),
    });
  return (
    <>
      <div className={classes.checks} role="group" aria-label={`Days of time ${number}`}>
        {WEEKDAYS.map((label, day) => (
          <Checkbox
            key={label}
            size="xs"
            label={label}
            checked={weekdays.includes(day)}
            onChange={() => toggle(day)}
          />
        ))}
      </div>
      <div className={classes.row}>
        <TextInput
          size="xs"
          type="time"
          aria-label={`Start of time ${number}`}
          value={start}
          onChange={(event) => onChange({ ...time, start: event.currentTarget.value.slice(0, 5) })}
        />
        <span>to</span>
        <TextInput
          size="xs"
          type="time"
          aria-label={`End of time ${number}`}
          value={end}
          onChange={(event) => onChange({ ...time, end: event.currentTarget.value.slice(0, 5) })}
        />
        {end !== "" && end <= start && <span className="dim">on the next day</span>}
        <Button size="compact-xs" variant="default" onClick={onRemove}>
          Remove<span className="visually-hidden"> time {number}</span>
        </Button>
      </div>
    </>
  );
}

interface ZoneProps {
  value: string;
  error: ReactNode;
  description?: string;
  onChange: (zone: string) => void;
}

export function ZoneInput({ value, error, description, onChange }: ZoneProps) {
  const list = useId();
  return (
    <>
      <TextInput
        size="xs"
        label="Time zone"
        description={description}
        placeholder="Europe/Zurich"
        list={list}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
      <datalist id={list}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  );
}
