/** Drafts of on-call schedules: values as typed, their validation, and the request; the strip of the next shifts. */
import type { Schedule, ScheduleIn, WeeklyTime } from "@/api/notifications/queries";
import { nameError } from "./channelKinds";
import { timesError } from "./weeklyText";
import { fromWallClock, isZone, toWallClock } from "./clockTime";

interface OverrideDraft {
  /** Identifies the row of the form. */
  readonly key: number;
  readonly person: string;
  /** Times on the clock of the schedule's zone, `2026-03-29T09:00`. */
  readonly start: string;
  readonly end: string;
  /** The stored times, RFC 3339: they may have seconds, or be the second of two equal clock times. */
  readonly stored?: { readonly start: string; readonly end: string };
}

/** Values of the form. Fields have the names of the API. */
export interface ScheduleDraft {
  readonly name: string;
  /** In order of rotation. */
  readonly people: readonly string[];
  readonly zone: string;
  readonly starts_on: string;
  readonly handover: string;
  readonly days: string;
  readonly restrictions: readonly WeeklyTime[];
  readonly overrides: readonly OverrideDraft[];
}

let lastKey = 0;
export const newOverride = (override: Omit<OverrideDraft, "key">): OverrideDraft => {
  lastKey += 1;
  return { key: lastKey, ...override };
};

/** A weekly rotation that starts today on the zone's clock. */
export const emptySchedule = (zone: string, now: number): ScheduleDraft => ({
  name: "",
  people: [],
  zone,
  starts_on: toWallClock(new Date(now).toISOString(), zone).slice(0, 10),
  handover: "09:00",
  days: "7",
  restrictions: [],
  overrides: [],
});

export const draftOfSchedule = (schedule: Schedule): ScheduleDraft => ({
  name: schedule.name,
  people: schedule.people,
  zone: schedule.zone,
  starts_on: schedule.starts_on,
  handover: schedule.handover,
  days: String(schedule.days),
  restrictions: schedule.restrictions,
  overrides: schedule.overrides.map(({ person, start, end }) =>
    newOverride({
      person,
      start: toWallClock(start, schedule.zone),
      end: toWallClock(end, schedule.zone),
      stored: { start, end },
    }),
  ),
});

/** RFC 3339 of one end; as stored unless it was edited. Null if invalid. */
function instantOf(override: OverrideDraft, end: "start" | "end", zone: string): string | null {
  const [text, stored] = [override[end], override.stored?.[end]];
  return stored !== undefined && toWallClock(stored, zone) === text ? stored : fromWallClock(text, zone);
}

function overridesError(overrides: readonly OverrideDraft[], zone: string): string | null {
  for (const override of overrides) {
    if (override.person.trim() === "") return "Enter a person for each override.";
    const [from, to] = [instantOf(override, "start", zone), instantOf(override, "end", zone)];
    if (from === null || to === null) return "Enter start and end of each override.";
    if (Date.parse(from) >= Date.parse(to)) return "An override ends after its start.";
  }
  return null;
}

/** Validation errors by form path; the server validates again. */
export function validateSchedule(draft: ScheduleDraft): Record<string, string> {
  const { name, people, zone, starts_on, handover, days, restrictions, overrides } = draft;
  const isKnown = isZone(zone);
  const errors: Record<string, string | null> = {
    name: nameError(name),
    people: people.length === 0 ? "Add at least one person." : null,
    zone: isKnown ? null : "Enter a time zone, e.g. Europe/Zurich.",
    starts_on: /^\d{4}-\d{2}-\d{2}$/.test(starts_on) ? null : "Enter a date.",
    handover: /^\d{2}:\d{2}$/.test(handover) ? null : "Enter a time.",
    days: /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 366 ? null : "Enter 1 to 366.",
    restrictions: timesError(restrictions),
    overrides: isKnown ? overridesError(overrides, zone) : null,
  };
  return Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** The request, or null while an override has no valid time. */
export function scheduleOfDraft(site: string, draft: ScheduleDraft): ScheduleIn | null {
  const overrides = draft.overrides.map((override) => ({
    person: override.person.trim(),
    start: instantOf(override, "start", draft.zone),
    end: instantOf(override, "end", draft.zone),
  }));
  const isValid = (row: (typeof overrides)[number]): row is { person: string; start: string; end: string } =>
    row.start !== null && row.end !== null;
  if (!overrides.every(isValid)) return null;
  const { name, people, zone, starts_on, handover, days, restrictions } = draft;
  return {
    site,
    name: name.trim(),
    people: [...people],
    zone,
    starts_on,
    handover,
    days: Number(days),
    restrictions: [...restrictions],
    overrides,
  };
}

export interface StripShift {
  readonly person: string;
  /** RFC 3339. */
  readonly start: string;
  readonly end: string;
  readonly isNow: boolean;
  /** People who replace the person for a part of the shift, in order of time. */
  readonly replacedBy: readonly string[];
}

/** The current shift of the rotation and the next ones. `now`: Unix milliseconds. */
export function shiftsOf(
  { shifts, overrides }: Pick<Schedule, "shifts" | "overrides">,
  now: number,
): StripShift[] {
  const ms = (iso: string) => Date.parse(iso);
  return shifts.map(({ person, start, end }) => ({
    person,
    start,
    end,
    isNow: ms(start) <= now && now < ms(end),
    replacedBy: [
      ...new Set(
        overrides
          .filter((override) => ms(override.start) < ms(end) && ms(start) < ms(override.end))
          .filter((override) => ms(override.end) > now && override.person !== person)
          .toSorted((a, b) => ms(a.start) - ms(b.start))
          .map((override) => override.person),
      ),
    ],
  }));
}

/** The list with an item moved to another position. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  if (to < 0 || to >= items.length) return [...items];
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from] as T, ...rest.slice(to)];
}
