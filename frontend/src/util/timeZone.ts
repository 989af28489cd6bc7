/** The time zone in which times are displayed and typed: this browser's, or UTC. */
import { choiceOf } from "@/util/choice";

export const zoneChoice = choiceOf("backstay.zone", ["local", "utc"], () => "local");

export const isUtc = (): boolean => zoneChoice.get() === "utc";

/** `Europe/Berlin`: the browser's own zone. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `UTC`, or the browser's own zone. */
export const zoneName = (): string => (isUtc() ? "UTC" : localZone());

/** Unix seconds of a wall-clock time of the chosen zone, `2026-05-01` or `2026-05-01T10:00`; NaN if invalid. */
export function fromWall(text: string): number {
  const full = text.length === 10 ? `${text}T00:00` : text.replace(" ", "T");
  return Date.parse(isUtc() ? `${full}Z` : full) / 1000;
}
