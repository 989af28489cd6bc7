/** Time range picker: presets, typed ranges and absolute times. */
import { Button, Popover, SegmentedControl, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { Icon } from "@/ui/Icon";
import classes from "@/ui/TimeRange.module.css";
import { absolute, describe, PRESETS, moved, span, typed, zoomedOut, type Range } from "@/util/time";

interface Props {
  range: Range;
  onChange: (range: Range) => void;
}

export function TimeRange({ range, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const choose = (next: Range) => {
    onChange(next);
    setOpen(false);
  };
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={`chip ${classes.target}`}
          aria-label={`Time range: ${describe(range)}`}
          onClick={() => setOpen(!open)}
        >
          <Icon name="clock" size={16} />
          <span className={classes.name}>{describe(range)}</span>
          <Icon name="down" size={12} />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Choose a time range">
        <div className={classes.panel}>
          <Presets range={range} onChoose={choose} />
          <Moves range={range} onChange={onChange} />
          <TypedRange range={range} onChoose={choose} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function Presets({ range, onChoose }: { range: Range; onChoose: (range: Range) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Time ranges up to now"
      value={range.to === "now" ? range.from : ""}
      onChange={(from) => onChoose({ from, to: "now" })}
      data={PRESETS.map(({ label, from }) => ({ label, value: from }))}
    />
  );
}

/** These keep the picker open: one often moves several times. */
function Moves({ range, onChange }: Props) {
  const now = () => Date.now() / 1000;
  return (
    <div className={classes.actions}>
      <Button size="xs" variant="default" onClick={() => onChange(moved(range, -1, now()))}>
        Earlier
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={range.to === "now"}
        onClick={() => onChange(moved(range, 1, now()))}
      >
        Later
      </Button>
      <Button size="xs" variant="default" onClick={() => onChange(zoomedOut(range, now()))}>
        Zoom out
      </Button>
    </div>
  );
}

function TypedRange({ range, onChoose }: { range: Range; onChoose: (range: Range) => void }) {
  const [text, setText] = useState(() => (range.to === "now" ? range.from : `${range.from} to ${range.to}`));
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = typed(text, Date.now() / 1000);
    if (next === null)
      setError(
        "Invalid range. Examples: 6h, 1h30m, yesterday, 13:50 to 14:05, 2026-05-01 10:00 to 2026-05-01 11:30",
      );
    else onChoose(next);
  };
  const freeze = () => {
    const now = span(range, Date.now() / 1000);
    if (now !== null) onChoose(absolute(now.start, now.end));
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label="Custom range"
        description="6h, 1h30m, yesterday, or two times separated by “to”; a time of day is UTC"
        size="xs"
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <div className={classes.actions}>
        <Button size="xs" type="submit">
          {" "}
          Apply{" "}
        </Button>
        <Button size="xs" variant="default" onClick={freeze}>
          Use absolute times
        </Button>
      </div>
    </form>
  );
}
