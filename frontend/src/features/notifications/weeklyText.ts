/** Spans of a week as text and as form values. */
import type { WeeklyTime } from "@/api/notifications/queries";

/** Index 0 is Monday, as in the API. */
export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

export const WORKING_HOURS: WeeklyTime = { weekdays: [0, 1, 2, 3, 4], start: "08:00", end: "18:00" };

/** `Mon–Fri`, `Sat, Sun`, `every day`. */
export function describeDays(weekdays: readonly number[]): string {
  const days = [...new Set(weekdays)].toSorted((a, b) => a - b);
  if (days.length === 7) return "every day";
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number | undefined) => WEEKDAYS[day ?? 0] ?? "";
  return runs
    .flatMap((run) => (run.length > 2 ? [`${name(run[0])}–${name(run.at(-1))}`] : run.map(name)))
    .join(", ");
}

/** `Mon–Fri 18:00–08:00 (next day)`; an end that is not after the start is on the next day. */
export const describeTime = ({ weekdays, start, end }: WeeklyTime): string =>
  `${describeDays(weekdays)} ${start}–${end}${end > start ? "" : " (next day)"}`;

export const describeTimes = (times: readonly WeeklyTime[]): string => times.map(describeTime).join("; ");

export const timesError = (times: readonly WeeklyTime[]): string | null =>
  times.some(({ weekdays, start, end }) => weekdays.length === 0 || start === "" || end === "")
    ? "Select at least one day and enter both times."
    : null;

/** IANA zones that the browser knows; the server may know more. */
export const ZONES: readonly string[] = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
];
