/** Time ranges as typed and as in the URL: relative ends stay relative. `now` is an argument; times are written in the chosen zone (`timeZone.ts`). */
import { fromWall, isUtc } from "@/util/timeZone";

/** A range: both ends as typed, `now-1h` or an RFC 3339 time. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** A range resolved to Unix seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const DEFAULT_RANGE: Range = { from: "now-1h", to: "now" };

/** The range of a URL's parameters; the default is not written to it. */
export const rangeIn = (params: URLSearchParams): Range => ({
  from: params.get("from") ?? DEFAULT_RANGE.from,
  to: params.get("to") ?? DEFAULT_RANGE.to,
});

export const PRESETS: readonly { readonly label: string; readonly text: string; readonly from: string }[] = [
  { label: "15 m", text: "last 15 minutes", from: "now-15m" },
  { label: "1 h", text: "last hour", from: "now-1h" },
  { label: "6 h", text: "last 6 hours", from: "now-6h" },
  { label: "24 h", text: "last 24 hours", from: "now-24h" },
  { label: "7 d", text: "last 7 days", from: "now-7d" },
  { label: "30 d", text: "last 30 days", from: "now-30d" },
  { label: "1 y", text: "last year", from: "now-1y" },
];

const DAY_SECONDS = 86_400;
const UNIT_SECONDS: Record<string, number> = {
  s: 1,
  m: 60,
  h: 3600,
  d: DAY_SECONDS,
  w: 7 * DAY_SECONDS,
  y: 365 * DAY_SECONDS,
};
const RELATIVE = /^now(?:\s*-\s*((?:\d{1,9}\s*[smhdwy]\s*)+))?$/;
const PARTS = /(\d+)\s*([smhdwy])/g;
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const WALL = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/;
const DAYS_AGO: Record<string, number> = { today: 0, "now/d": 0, yesterday: 1 };

/** Seconds of `1h30m`. */
function offset(text: string): number {
  return [...text.matchAll(PARTS)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (UNIT_SECONDS[unit ?? ""] ?? Number.NaN),
    0,
  );
}

/** Unix seconds of one end, or null if invalid: the grammar of the server (`core/timerange.py`); the cases of both are in `timeCases.json`. Days and times of day are UTC. */
export function moment(text: string, now: number): number | null {
  const clean = text.trim();
  const relative = RELATIVE.exec(clean);
  if (relative !== null) return now - offset(relative[1] ?? "");
  const midnight = Math.floor(now / DAY_SECONDS) * DAY_SECONDS;
  const daysAgo = DAYS_AGO[clean];
  if (daysAgo !== undefined) return midnight - daysAgo * DAY_SECONDS;
  const ofDay = TIME_OF_DAY.exec(clean);
  if (ofDay !== null) {
    const [hour = 0, minute = 0, second = 0] = ofDay.slice(1).map((part) => Number(part ?? 0));
    const at = midnight + hour * 3600 + minute * 60 + second;
    return at <= now ? at : at - DAY_SECONDS;
  }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text.trim())) return null;
  const parsed = Date.parse(text.trim().replace(" ", "T"));
  return Number.isNaN(parsed) ? null : parsed / 1000;
}

/** Resolves a range; null if an end is invalid or the ends are not in order. */
export function span(range: Range, now: number): Span | null {
  const start = moment(range.from, now);
  const end = moment(range.to, now);
  return start === null || end === null || start >= end ? null : { start, end };
}

export function isRelative(range: Range): boolean {
  return range.to === "now" && RELATIVE.test(range.from);
}

/** A range that ends at most so long ago shows the present: a report is seconds old anyway. */
const PRESENT_SECONDS = 60;

/** Unix seconds of a range's end in the past; null if it ends now, in the future, or is invalid. */
export function pastEnd(to: string, now: number): number | null {
  const end = moment(to, now);
  return end === null || end > now - PRESENT_SECONDS ? null : end;
}

/** The range moved by half of its length, at most until now; `direction` -1 is earlier. */
export function moved(range: Range, direction: -1 | 1, now: number): Range {
  const found = span(range, now);
  if (found === null) return range;
  const length = found.end - found.start;
  const end = found.end + (direction * length) / 2;
  return end >= now ? { from: `now-${Math.round(length)}s`, to: "now" } : absolute(end - length, end);
}

/** Twice as long around the same middle; a range that ends now still does. */
export function zoomedOut(range: Range, now: number): Range {
  const found = span(range, now);
  if (found === null) return range;
  const length = 2 * (found.end - found.start);
  const end = Math.min((found.start + found.end + length) / 2, now);
  if (end >= now) return { from: `now-${Math.round(length)}s`, to: "now" };
  return absolute(end - length, end);
}

/** Parses typed text: `6h`, `now-6h`, `2026-05-01 10:00 to 2026-05-01 11:00`; null if invalid. */
export function typed(text: string, now: number): Range | null {
  const clean = text.trim();
  const short = /^(?:last\s+)?((?:\d{1,9}\s*[smhdwy]\s*)+)$/.exec(clean);
  if (short?.[1] !== undefined) return { from: `now-${packed(short[1])}`, to: "now" };
  if (clean === "yesterday") return { from: "yesterday", to: "today" };
  const [from = "", to = "now"] = clean.split(/\s+(?:to|until)\s+|\s*\.\.\s*/);
  const range = { from: canonical(from, now), to: canonical(to, now) };
  return span(range, now) === null ? null : range;
}

/** Label of a range: `last hour`, `last 36 h`, or its two times. */
export function describe(range: Range): string {
  const preset = PRESETS.find(({ from }) => from === range.from && range.to === "now");
  if (preset !== undefined) return preset.text;
  const relative = RELATIVE.exec(range.from);
  if (isRelative(range) && relative?.[1] !== undefined) return `last ${spelled(relative[1])}`;
  const text = `${stamp(range.from)} to ${range.to === "now" ? "now" : stamp(range.to)}`;
  return isUtc() ? `${text} UTC` : text;
}

/** Moments that people choose; `of` gives the text of the URL from the present, Unix seconds. Empty: now. */
export const MOMENTS: readonly {
  readonly label: string;
  readonly text: string;
  readonly of: (now: number) => string;
}[] = [
  { label: "Now", text: "now", of: () => "" },
  { label: "1 h ago", text: "1 hour ago", of: () => "now-1h" },
  { label: "1 d ago", text: "1 day ago", of: () => "now-1d" },
  { label: "7 d ago", text: "7 days ago", of: () => "now-7d" },
  {
    label: "Last Monday 10:00",
    text: "last Monday 10:00",
    of: (now) => new Date(lastWeekday(1, 10, now) * 1000).toISOString(),
  },
];

/** The newest past time at this hour of a weekday (0: Sunday) of the local clock, Unix seconds. */
export function lastWeekday(weekday: number, hour: number, now: number): number {
  const at = new Date(now * 1000);
  at.setHours(hour, 0, 0, 0);
  at.setDate(at.getDate() - ((at.getDay() - weekday + 7) % 7));
  if (at.getTime() > now * 1000) at.setDate(at.getDate() - 7);
  return at.getTime() / 1000;
}

/** Label of a moment: `now`, `7 days ago`, or its time. */
export function describeMoment(at: string): string {
  const preset = MOMENTS.find(({ of }) => of(0) === at);
  if (preset !== undefined) return preset.text;
  if (TIME_OF_DAY.test(at)) return `${at} UTC`;
  const relative = RELATIVE.exec(at);
  return relative?.[1] === undefined ? stamp(at) : `${spelled(relative[1])} ago`;
}

/** The day of the chosen zone, `2026-05-01`. */
export const wallDay = (at: number): string => clock(new Date(at * 1000).toISOString()).slice(0, 10);

/** The range of whole days of the chosen zone, first and last day included; until now if the last one is today. */
export function daysRange(first: string, last: string, now: number): Range {
  // Noon and a day: where clocks change, a day has 23 or 25 hours.
  const end = fromWall(wallDay(fromWall(`${last}T12:00`) + DAY_SECONDS));
  const range = absolute(fromWall(first), Math.min(end, now));
  return end >= now ? { from: range.from, to: "now" } : range;
}

/** The range between two Unix seconds, e.g. of a brush. */
export function absolute(start: number, end: number): Range {
  return {
    from: new Date(Math.floor(start) * 1000).toISOString(),
    to: new Date(Math.ceil(end) * 1000).toISOString(),
  };
}

/** A wall-clock time of the chosen zone: `2026-05-01 14:02:07`. */
export function clock(iso: string | null | undefined): string {
  if (iso == null) return "–";
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "–";
  const shifted = isUtc() ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19).replace("T", " ");
}

/** The time if `iso` is on the day of `now` (Unix seconds), else day and time. */
export function shortClock(iso: string | null | undefined, now: number): string {
  const text = clock(iso);
  const today = clock(new Date(now * 1000).toISOString()).slice(0, 10);
  return text.startsWith(today) ? text.slice(11) : text.slice(5);
}

/** `14:09:10–14:10:02`, `since 14:09:10` if ongoing, one time if both ends are the same second. */
export function period(start: string, end: string | null | undefined, now: number): string {
  const first = shortClock(start, now);
  if (end == null) return `since ${first}`;
  const last = shortClock(end, now);
  if (last === first) return first;
  const isSameDay = clock(start).slice(0, 10) === clock(end).slice(0, 10);
  return `${first}–${isSameDay ? clock(end).slice(11) : last}`;
}

/** Normalises what is typed: `now - 6 h` to `now-6h`, a time of the chosen zone to RFC 3339 in UTC. */
export function canonical(typedText: string, now: number): string {
  const text = typedText.trim();
  const relative = RELATIVE.exec(text);
  if (relative !== null) return relative[1] === undefined ? "now" : `now-${packed(relative[1])}`;
  if (text in DAYS_AGO) return text;
  const at = wallMoment(text, now) ?? moment(text, now);
  return at === null ? text : new Date(at * 1000).toISOString();
}

/** Unix seconds of `13:50` (the latest one in the past) or `2026-05-01 10:00` in the chosen zone; else null. */
function wallMoment(text: string, now: number): number | null {
  if (TIME_OF_DAY.test(text)) {
    const today = fromWall(`${wallDay(now)}T${text}`);
    return today <= now ? today : fromWall(`${wallDay(now - DAY_SECONDS)}T${text}`);
  }
  if (!WALL.test(text)) return null;
  const at = fromWall(text);
  return Number.isNaN(at) ? null : at;
}

/** `1h30m` of `1 h 30 m`. */
function packed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** `1 h 30 m` of `1h30m`. */
function spelled(text: string): string {
  return [...text.matchAll(PARTS)].map(([, number, unit]) => `${number} ${unit}`).join(" ");
}

function stamp(text: string): string {
  return RELATIVE.test(text) || text in DAYS_AGO ? text : clock(text).slice(0, 16);
}
