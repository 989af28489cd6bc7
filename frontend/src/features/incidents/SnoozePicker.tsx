/** Snoozes with two clicks: opens the durations, selects one. */
import { NativeSelect } from "@mantine/core";

const HOUR_S = 3600;
const CHOICES = [
  { label: "1 hour", for_s: HOUR_S },
  { label: "4 hours", for_s: 4 * HOUR_S },
  { label: "1 day", for_s: 24 * HOUR_S },
  { label: "1 week", for_s: 7 * 24 * HOUR_S },
] as const;
const END = "end";

interface Props {
  /** What is snoozed, for assistive technology. */
  what: string;
  isSnoozed: boolean;
  isBusy: boolean;
  /** Seconds; null ends the snooze. */
  onSnooze: (for_s: number | null) => void;
}

export function SnoozePicker({ what, isSnoozed, isBusy, onSnooze }: Props) {
  return (
    <NativeSelect
      size="xs"
      aria-label={`Snooze ${what}`}
      disabled={isBusy}
      value=""
      data={[
        { value: "", label: isSnoozed ? "Snoozed" : "Snooze" },
        ...CHOICES.map(({ label, for_s }) => ({ value: String(for_s), label: `for ${label}` })),
        ...(isSnoozed ? [{ value: END, label: "End snooze" }] : []),
      ]}
      onChange={({ currentTarget: { value } }) => {
        if (value !== "") onSnooze(value === END ? null : Number(value));
      }}
    />
  );
}
