/** Wall-clock times of a zone, for inputs of type `datetime-local`. Pure. */

const MINUTE_MS = 60_000;

function partsOf(ms: number, zone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
}

export function isZone(zone: string): boolean {
  try {
    partsOf(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** `2026-03-29T09:00` on the zone's clock; in UTC if the zone is not known here. */
export function toWallClock(iso: string, zone: string): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return "";
  const { year, month, day, hour, minute } = partsOf(ms, isZone(zone) ? zone : "UTC");
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The zone's offset from UTC at this time, milliseconds. */
const offsetMs = (ms: number, zone: string): number => {
  const minute = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${toWallClock(new Date(minute).toISOString(), zone)}Z`) - minute;
};

/**
 * RFC 3339 in UTC of a time on the zone's clock; null if invalid. As on the server (PEP 495, fold 0), the first of
 * two equal times counts, and a skipped time is an hour later on the clock.
 */
export function fromWallClock(text: string, zone: string): string | null {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall) || !isZone(zone)) return null;
  // The offset before any change within a day applies to ambiguous and to skipped times.
  const before = offsetMs(wall - 86_400_000, zone);
  const after = offsetMs(wall + 86_400_000, zone);
  const isValid = (offset: number) => offsetMs(wall - offset, zone) === offset;
  const offset = isValid(before) || !isValid(after) ? before : after;
  return new Date(wall - offset).toISOString();
}

/** `Mon 30 Nov 09:00` on the zone's clock. */
export function shortWallClock(iso: string, zone: string): string {
  const known = isZone(zone) ? zone : "UTC";
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: known,
    hourCycle: "h23",
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return format.format(Date.parse(iso)).replaceAll(",", "");
}
