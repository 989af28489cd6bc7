/** The chip that shows a time range, and what opens below it. */
import { Popover } from "@mantine/core";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { Icon } from "@/ui/Icon";
import classes from "@/ui/time/TimeRange.module.css";
import { rememberRange } from "@/util/recentRanges";
import { describe, type Range } from "@/util/time";

/** With the calendar: loaded when the picker is opened. */
const RangePanel = lazy(() => import("@/ui/time/RangePanel"));

interface Props {
  range: Range;
  onChange: (range: Range) => void;
}

export function TimeRange({ range, onChange }: Props) {
  return (
    <TimePicker label="Time range" text={describe(range)} title="Choose a time range">
      {(close) => {
        const choose = (next: Range) => {
          rememberRange(next);
          onChange(next);
          close();
        };
        return (
          <Suspense fallback={<p className="dim">Loading …</p>}>
            <RangePanel range={range} onChange={onChange} onChoose={choose} />
          </Suspense>
        );
      }}
    </TimePicker>
  );
}

interface PickerProps {
  label: string;
  /** What is chosen. */
  text: string;
  title: string;
  children: (close: () => void) => ReactNode;
}

/** The chip that shows a time, and what opens below it; also of `MomentPicker`. */
export function TimePicker({ label, text, title, children }: PickerProps) {
  const [open, setOpen] = useState(false);
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
          aria-label={`${label}: ${text}`}
          onClick={() => setOpen(!open)}
        >
          <Icon name="clock" size={16} />
          <span className={classes.name}>{text}</span>
          <Icon name="down" size={12} />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={title}>
        <div className={classes.panel}>{children(() => setOpen(false))}</div>
      </Popover.Dropdown>
    </Popover>
  );
}
