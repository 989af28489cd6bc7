/** What the time range picker offers: presets, moves, typed ranges, a calendar, recent ranges and the time zone. */
import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { DatePicker, type DatesRangeValue } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { useState, type FormEvent } from "react";
import classes from "@/ui/time/TimeRange.module.css";
import { recentRanges } from "@/util/recentRanges";
import {
  absolute,
  daysRange,
  describe,
  PRESETS,
  moved,
  span,
  typed,
  wallDay,
  zoomedOut,
  type Range,
} from "@/util/time";
import { localZone, zoneChoice, zoneName } from "@/util/timeZone";

interface ChooserProps {
  range: Range;
  /** Takes a range, and closes the picker. */
  onChoose: (range: Range) => void;
}

interface MoveProps {
  range: Range;
  /** Takes a range: one often moves several times. */
  onChange: (range: Range) => void;
}

export default function RangePanel({ range, onChange, onChoose }: ChooserProps & MoveProps) {
  return (
    <>
      <Presets range={range} onChoose={onChoose} />
      <Moves range={range} onChange={onChange} />
      <TypedRange range={range} onChoose={onChoose} />
      <Calendar range={range} onChoose={onChoose} />
      <Recent range={range} onChoose={onChoose} />
      <Zone />
    </>
  );
}

function Presets({ range, onChoose }: ChooserProps) {
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

function Moves({ range, onChange }: MoveProps) {
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

function TypedRange({ range, onChoose }: ChooserProps) {
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
        description="6h, 1h30m, yesterday, or two times separated by “to”"
        size="xs"
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
        autoFocus
      />
      <div className={classes.actions}>
        <Button size="xs" type="submit">
          Apply
        </Button>
        <Button size="xs" variant="default" onClick={freeze}>
          Use absolute times
        </Button>
      </div>
    </form>
  );
}

function Calendar(props: ChooserProps) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button size="xs" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
        Calendar
      </Button>
      {open && <Days {...props} />}
    </div>
  );
}

/** As far back as past states are kept. */
const MOST_DAYS = 366;

function Days({ range, onChoose }: ChooserProps) {
  const [now] = useState(() => Date.now() / 1000);
  const today = wallDay(now);
  const [days, setDays] = useState<DatesRangeValue<string>>(() => {
    const found = range.to === "now" ? null : span(range, now);
    return found === null ? [null, null] : [wallDay(found.start), wallDay(found.end - 1)];
  });
  const choose = (next: DatesRangeValue<string>) => {
    setDays(next);
    const [first, last] = next;
    if (first !== null && last !== null) onChoose(daysRange(first, last, now));
  };
  return (
    <DatePicker
      type="range"
      size="xs"
      allowSingleDateInRange
      // In red they would look like days with faults.
      weekendDays={[]}
      value={days}
      onChange={choose}
      minDate={wallDay(now - MOST_DAYS * 86_400)}
      maxDate={today}
      defaultDate={days[1] ?? today}
      getDayProps={(day) => (day === today ? { "aria-current": "date" } : {})}
    />
  );
}

function Recent({ range, onChoose }: ChooserProps) {
  const [ranges] = useState(recentRanges);
  const others = ranges.filter(({ from, to }) => from !== range.from || to !== range.to);
  if (others.length === 0) return null;
  return (
    <div className={classes.recent} role="group" aria-label="Recent ranges">
      <span className="dim">Recent</span>
      {others.map((recent) => (
        <Button
          key={`${recent.from} ${recent.to}`}
          size="compact-xs"
          variant="subtle"
          onClick={() => onChoose(recent)}
        >
          {describe(recent)}
        </Button>
      ))}
    </div>
  );
}

/** A choice draws the whole page again: each of its times changes. */
function Zone() {
  return (
    <div className={classes.zone}>
      <SegmentedControl
        size="xs"
        aria-label="Time zone of all times"
        value={zoneChoice.get()}
        onChange={(next) => zoneChoice.set(next === "utc" ? "utc" : "local")}
        data={[
          { label: `Local (${localZone()})`, value: "local" },
          { label: "UTC", value: "utc" },
        ]}
      />
      {zoneName() !== "UTC" && <span className="dim">“today” and “yesterday” are days of UTC.</span>}
    </div>
  );
}
